// Drives the Dart package in the conformance suite.
import 'dart:convert';
import 'dart:io';

import 'package:bili_sdk/bili_sdk.dart';

late Bili client;

Future<void> main() async {
  await for (final line in stdin.transform(utf8.decoder).transform(const LineSplitter())) {
    final request = jsonDecode(line) as Map<String, dynamic>;
    Map<String, Object?> answer;
    try {
      answer = {'result': await run(request['command'] as String, request['args'] as Map<String, dynamic>)};
    } catch (error) {
      answer = {'error': describe(error)};
    }
    stdout.writeln(jsonEncode(answer));
  }
}

Future<Object?> run(String command, Map<String, dynamic> args) async {
  Duration ms(String name) => Duration(milliseconds: args[name] as int);
  switch (command) {
    case 'configure':
      client = Bili(
        baseUrl: args['baseUrl'] as String,
        keyId: args['keyId'] as String,
        secret: args['secret'] as String,
        retryPause: ms('retryPauseMs'),
        maxRetries: args['maxRetries'] as int? ?? 4,
        scenario: args['scenario'] as String?,
      );
      return null;
    case 'createBill':
      final created = await client.createBill(
        amount: args['amount'] as Object,
        reference: args['reference'] as String,
        mobile: args['mobile'] as String?,
        language: args['language'] as String?,
        idempotencyKey: args['idempotencyKey'] as String?,
      );
      return {...bill(created), 'ignored': created.ignored};
    case 'getBill':
      return bill(await client.getBill(args['id'] as String));
    case 'waitUntilPaid':
      return bill(await client.waitUntilPaid(
        args['id'] as String,
        deadline: ms('deadlineMs'),
        poll: ms('pollMs'),
        stopOnFailure: args['stopOnFailure'] as bool? ?? false,
      ));
    case 'events':
      final after = args['after'] as String?;
      final events = await client.events(after: after, limit: args['limit'] as int?).toList();
      return {
        'events': [for (final event in events) {'id': event.id, 'bill': bill(event.bill), 'cursor': event.cursor}],
        'cursor': events.isEmpty ? after : events.last.cursor,
      };
    case 'createBills':
      final bills = (args['bills'] as List<dynamic>).cast<Map<String, Object?>>();
      final results = await client.createBills(bills, idempotencyKey: args['idempotencyKey'] as String?);
      return [
        for (final one in results)
          {
            'status': one.status,
            'code': one.code,
            'error': one.error,
            'bill': one.bill == null ? null : bill(one.bill!),
            'ignored': one.ignored,
          },
      ];
    case 'validateBill':
      final validated = await client.validateBill(args);
      final prompt = validated['prompt'] as Map<String, Object?>?;
      return {...validated, 'prompt': prompt == null ? null : withAmount(prompt)};
    case 'listBills':
      final page = await client.listBills(
        reference: args['reference'] as String?,
        mobile: args['mobile'] as String?,
        metadata: {...?(args['metadata'] as Map?)?.cast<String, String>()},
        limit: args['limit'] as int?,
      );
      return {'bills': [for (final one in page.bills) bill(one)], 'cursor': page.cursor, 'more': page.more};
    case 'listPayments':
      return [for (final one in await client.listPayments(args['id'] as String)) withAmount(one)];
    case 'listPaymentRequests':
      return [for (final one in await client.listPaymentRequests(args['id'] as String)) withAmount(one)];
    case 'listBillEvents':
      return [for (final one in await client.listBillEvents(args['id'] as String)) {'id': one.id, 'bill': bill(one.bill)}];
    case 'pushBill':
      return withAmount(await client.pushBill(args['id'] as String, mobile: args['mobile'] as String?));
    case 'closeBill':
      return bill(await client.closeBill(args['id'] as String, reason: args['reason'] as String?));
    case 'reopenBill':
      return bill(await client.reopenBill(args['id'] as String, reason: args['reason'] as String?));
    case 'controlSandboxTime':
      final time = await client.controlSandboxTime(
        advanceSeconds: args['advanceSeconds'] as int?,
        delayPercent: args['delayPercent'] as int?,
      );
      return {'delayPercent': time.delayPercent, 'moved': time.moved};
    case 'readMobile':
      return {'mobile': readMobile(args['text'] as String)};
    case 'readShillings':
      return {'shillings': readShillings(args['text'] as String)};
    case 'networks':
      return [for (final one in await client.networks()) {'network': one.network, 'wallet': one.wallet, 'status': one.status}];
    case 'post':
      return client.request('POST', args['path'] as String, body: args['body'] as String);
    case 'verifyWebhook':
      final now = args['now'] as int?;
      final secrets = (args['secrets'] as List<dynamic>).cast<String>();
      final webhook = now == null
          ? Webhook(secrets)
          : Webhook(secrets, now: () => DateTime.fromMillisecondsSinceEpoch(now * 1000, isUtc: true));
      final event = webhook.verify(utf8.encode(args['body'] as String), args['headers'] as Map<String, dynamic>);
      return {'id': event.id, 'bill': bill(event.bill)};
  }
  throw StateError('unknown command $command');
}

Map<String, Object?> withAmount(Map<String, Object?> raw) => {...raw, 'amount': (raw['amount'] as num).toStringAsFixed(2)};

Map<String, Object?> bill(Bill one) => {
      'id': one.id,
      'mobile': one.mobile,
      'amount': one.amount,
      'status': one.status,
      'reference': one.reference,
      'webPayUrl': one.webPayUrl,
      'closedAt': one.closedAt?.toIso8601String(),
      'paidAmount': one.paidAmount,
      'remainingAmount': one.remainingAmount,
      'lastAttempt': one.lastAttempt == null ? null : {'state': one.lastAttempt!.state, 'reason': one.lastAttempt!.reason},
    };

Map<String, Object?> describe(Object error) => switch (error) {
      BiliApiException(:final status, :final message, :final code, :final requestId, :final retryable) => {
          'type': 'api',
          'message': message,
          'status': status,
          'code': code,
          'requestId': requestId,
          'retryable': retryable,
        },
      BiliConnectionException(:final message) => {'type': 'connection', 'message': message},
      BiliNotPaidException(:final message, :final reason, bill: final last) => {
          'type': 'not_paid',
          'message': message,
          'reason': reason.code,
          'bill': last == null ? null : bill(last),
        },
      BiliWebhookException(:final message, :final reason) => {'type': 'webhook', 'message': message, 'reason': reason},
      BiliException(:final message) => {'type': 'argument', 'message': message},
      _ => {'type': 'other', 'message': '$error'},
    };
