import 'dart:convert';
import 'dart:io';

Future<void> main() async {
  final env = Platform.environment;
  final client = HttpClient();
  final request = await client.getUrl(Uri.parse('${env['BILI_URL']}/api/v3/bills/${env['BILL_ID']}'));
  request.headers.set('Authorization', 'ApiKey ${env['BILI_KEY_ID']}:${env['BILI_SECRET']}');
  final answer = await request.close().timeout(const Duration(seconds: 30));
  final text = await utf8.decodeStream(answer);
  if (answer.statusCode != 200) throw Exception(text);
  final bill = jsonDecode(text);
  print('${bill['status']} ${bill['paidAmount']} of ${bill['amount']}');
  client.close();
}
