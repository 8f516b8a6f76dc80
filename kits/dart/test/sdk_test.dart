import 'dart:convert';

import 'package:bili_sdk/bili_sdk.dart';
import 'package:test/test.dart';

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const body =
    '{"bill":{"id":"0193aa10-0000-7000-8000-000000000001","mobile":"0712345001","amount":5000.0,"status":"FULLY_PAID","reference":"ORDER-1"}}';
const headers = {
  'Webhook-Id': 'msg_0193aa11-0000-7000-8000-000000000001',
  'Webhook-Timestamp': '1795213486',
  'Webhook-Signature': 'v1,mpt1OWpdIBDwfEwiMYi069hYw2NH4lJdIg45f5xweMI=',
};

void main() {
  test('amounts become hundredths of a shilling', () {
    expect(toSenti('12500.50'), 1250050);
    expect(toSenti('7'), 700);
    expect(() => toSenti('1e3'), throwsA(isA<BiliException>()));
  });

  test('plain HTTP is refused, except on this machine', () {
    Bili client(String baseUrl) => Bili(baseUrl: baseUrl, keyId: 'key', secret: 'secret');
    expect(() => client('http://pay.example.com'), throwsA(isA<BiliException>()));
    expect(client('http://localhost:3001'), isNotNull);
  });

  test('line breaks in credentials are removed or refused', () {
    Bili client(String secret) => Bili(baseUrl: 'https://pay.example.com', keyId: 'key\n', secret: secret);
    expect(client('secret\r\n'), isNotNull);
    for (final malformed in ['', 'sec\nret', 'sec ret']) {
      expect(() => client(malformed), throwsA(isA<BiliException>()));
    }
  });

  test('a scenario is one word', () {
    Bili client(String scenario) => Bili(baseUrl: 'https://pay.example.com', keyId: 'key', secret: 'secret', scenario: scenario);
    expect(client('declined'), isNotNull);
    expect(() => client('declined\r\nx: y'), throwsA(isA<BiliException>()));
  });

  test('the test vector of the documentation is accepted, and a changed body is not', () {
    final webhook = Webhook([secret], now: () => DateTime.fromMillisecondsSinceEpoch(1795213486000, isUtc: true));
    expect(webhook.verify(utf8.encode(body), headers).bill.amount, '5000.00');
    expect(
      () => webhook.verify(utf8.encode('$body '), headers),
      throwsA(isA<BiliWebhookException>().having((error) => error.reason, 'reason', 'signature_mismatch')),
    );
  });
}
