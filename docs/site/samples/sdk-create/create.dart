import 'dart:io';
import 'package:bili_sdk/bili_sdk.dart';

Future<void> main() async {
  final env = Platform.environment;
  final bili = Bili(baseUrl: env['BILI_URL']!, keyId: env['BILI_KEY_ID']!, secret: env['BILI_SECRET']!);

  final bill = await bili.createBill(
    amount: 5000,
    reference: 'ORDER-1',
    mobile: '0712345001',
    idempotencyKey: 'ORDER-1',
  );
  print('${bill.id} ${bill.webPayUrl}');

  final paid = await bili.waitUntilPaid(bill.id, deadline: const Duration(minutes: 1));
  print('${paid.status} ${paid.paidAmount}'); // FULLY_PAID 5000.00
}
