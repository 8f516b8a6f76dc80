// Needs the package crypto.
import 'dart:convert';
import 'dart:io';
import 'package:crypto/crypto.dart';

bool isFromBili(String secret, HttpHeaders headers, List<int> body) {
  final id = headers.value('webhook-id') ?? '';
  final timestamp = headers.value('webhook-timestamp') ?? '';
  final seconds = int.tryParse(timestamp) ?? 0;
  final now = DateTime.now().millisecondsSinceEpoch ~/ 1000;
  if (id.isEmpty || (now - seconds).abs() > 300) return false;
  final key = base64.decode(secret.substring('whsec_'.length));
  final signed = [...utf8.encode('$id.$timestamp.'), ...body];
  final expected = 'v1,${base64.encode(Hmac(sha256, key).convert(signed).bytes)}';
  return (headers.value('webhook-signature') ?? '').split(' ').any((given) => isSame(given, expected));
}

/// Compares in constant time.
bool isSame(String given, String expected) {
  if (given.length != expected.length) return false;
  var difference = 0;
  for (var at = 0; at < given.length; at++) difference |= given.codeUnitAt(at) ^ expected.codeUnitAt(at);
  return difference == 0;
}

Future<void> main() async {
  final secret = Platform.environment['BILI_WEBHOOK_SECRET']!;
  final server = await HttpServer.bind('127.0.0.1', int.parse(Platform.environment['PORT'] ?? '8080'));
  await for (final request in server) {
    final body = await request.fold<List<int>>([], (all, part) => all..addAll(part)); // the raw bytes
    final valid = isFromBili(secret, request.headers, body);
    if (valid) {
      final bill = jsonDecode(utf8.decode(body))['bill'];
      // Store the webhook-id and bill['id'] here. Your shop reads the bill afterwards.
      print('Bill ${bill['id']} is ${bill['status']}');
    }
    request.response.statusCode = valid ? 200 : 401;
    await request.response.close();
  }
}
