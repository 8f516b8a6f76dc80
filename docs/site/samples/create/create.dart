import 'dart:convert';
import 'dart:io';

Future<void> main() async {
  final env = Platform.environment;
  final client = HttpClient();
  final request = await client.postUrl(Uri.parse('${env['BILI_URL']}/api/v3/bills/create'));
  request.headers.set('Authorization', 'ApiKey ${env['BILI_KEY_ID']}:${env['BILI_SECRET']}');
  request.headers.contentType = ContentType.json;
  request.headers.set('Idempotency-Key', 'ORDER-1');
  request.write(jsonEncode({'amount': 5000, 'reference': 'ORDER-1', 'mobile': '0712345001'}));
  final answer = await request.close().timeout(const Duration(seconds: 30));
  final text = await utf8.decodeStream(answer);
  if (answer.statusCode != 200) throw Exception(text);
  final bill = jsonDecode(text);
  print('${bill['id']} ${bill['webPayUrl']}');
  client.close();
}
