import 'dart:convert';
import 'dart:math';

import 'amount.dart';
import 'errors.dart';
import 'http.dart';
import 'models.dart';

final _random = Random.secure();

/// A client of Bili's merchant API.
///
/// A request is repeated up to [maxRetries] times after a lost connection, a time-out, 429 and 5xx. [allowHttp] allows plain HTTP to other
/// hosts than this machine; the secret is readable there. [scenario] is for tests: what happens to each request in the sandbox, such as
/// `declined` or `rate-limited`. Live ignores it.
class Bili {
  Bili({
    required String baseUrl,
    required String keyId,
    required String secret,
    Duration timeout = const Duration(seconds: 15),
    int maxRetries = 4,
    Duration retryPause = const Duration(milliseconds: 500),
    Duration maxRetryAfter = const Duration(seconds: 60),
    bool allowHttp = false,
    String? scenario,
  }) : _http = Http(
          baseUrl: baseUrl,
          keyId: keyId,
          secret: secret,
          timeout: timeout,
          maxRetries: maxRetries,
          retryPause: retryPause,
          maxRetryAfter: maxRetryAfter,
          allowHttp: allowHttp,
          scenario: scenario,
        );

  final Http _http;

  /// Closes idle connections.
  void close() => _http.close();

  /// Creates a bill. `ignored` of the result names what Bili did not use, for example an [expiresAt] in the past.
  ///
  /// [amount] is whole shillings as an int, or a text such as "12500.50". The default [idempotencyKey] is random, which makes the retries of
  /// this call safe. Give your order number to be safe when your own process crashes and calls again, too.
  Future<Bill> createBill({
    required Object amount,
    required String reference,
    String? mobile,
    String? description,
    String? customerName,
    DateTime? dueAt,
    String? customerEmail,
    Map<String, String>? metadata,
    DateTime? expiresAt,
    String? returnUrl,
    String? language,
    String? idempotencyKey,
  }) async {
    final rest = jsonEncode({
      'reference': reference,
      if (mobile != null) 'mobile': mobile,
      if (description != null) 'description': description,
      if (customerName != null || customerEmail != null) 'customer': {'name': customerName, 'email': customerEmail},
      if (dueAt != null) 'dueAt': dueAt.millisecondsSinceEpoch,
      if (metadata != null) 'metadata': metadata,
      if (expiresAt != null) 'expiresAt': expiresAt.millisecondsSinceEpoch,
      if (returnUrl != null) 'returnUrl': returnUrl,
      if (language != null) 'language': language,
    });
    // Written by hand, because a number would turn 12500.50 into a double.
    final body = '{"amount":${amountJson(amount)},${rest.substring(1)}';
    String? ignored;
    final answer = await _http.send(
      'POST',
      '/bills/create',
      body: body,
      idempotencyKey: idempotencyKey ?? _randomKey(),
      onHeaders: (headers) => ignored = headers.value('bili-ignored'),
    );
    return Bill.read(answer, ignored: ignored?.split(', ') ?? const []);
  }

  /// Creates up to 500 bills, each by itself, so that one mistake does not refuse the others. The members of [bills] are those of the API,
  /// with the amount as in [createBill]. Returns the results in their order, also for a wrong amount.
  Future<List<BulkResult>> createBills(List<Json> bills, {String? idempotencyKey}) async {
    final items = bills.map((bill) => _billJson(bill, uncheckedAmountJson(bill['amount'])));
    final body = '{"bills":[${items.join(',')}]}';
    return BulkResult.readAll(await _http.send('POST', '/bills/bulk', body: body, idempotencyKey: idempotencyKey ?? _randomKey()));
  }

  /// Says what creating a bill would do, as the API answers it. Fails as creating it would.
  Future<Json> validateBill(Json bill) async =>
      readJson(await _http.send('POST', '/bills/validate', body: _billJson(bill, amountJson(bill['amount'] ?? ''))), 'body');

  Future<Bill> getBill(String id) async => Bill.read(await _http.send('GET', _path(id)));

  /// Reads one page of the bills, newest first.
  Future<BillPage> listBills({
    String? status,
    String? reference,
    String? mobile,
    Map<String, String> metadata = const {},
    DateTime? from,
    DateTime? to,
    String? after,
    int? limit,
  }) async {
    final query = {
      if (status != null) 'status': status,
      if (reference != null) 'reference': reference,
      if (mobile != null) 'mobile': mobile,
      for (final MapEntry(:key, :value) in metadata.entries) 'metadata[$key]': value,
      if (from != null) 'from': '${from.millisecondsSinceEpoch}',
      if (to != null) 'to': '${to.millisecondsSinceEpoch}',
      if (after != null) 'after': after,
      if (limit != null) 'limit': '$limit',
    };
    return BillPage.read(await _http.send('GET', '/bills', query: query));
  }

  /// Reads what was booked on a bill, as the API answers it.
  Future<List<Json>> listPayments(String id) async =>
      readList(readJson(await _http.send('GET', '${_path(id)}/payments'), 'body'), 'payments');

  /// Reads the payment requests of a bill, as the API answers them.
  Future<List<Json>> listPaymentRequests(String id) async =>
      readList(readJson(await _http.send('GET', '${_path(id)}/attempts'), 'body'), 'attempts');

  /// Reads the events of a bill, which have no cursor.
  Future<List<BillEvent>> listBillEvents(String id) async => BillEvent.readAll(await _http.send('GET', '${_path(id)}/events'));

  /// Asks a phone to pay what is left of the bill: the bill's own, or [mobile]. Returns the payment request, as the API answers it.
  Future<Json> pushBill(String id, {String? mobile, String? idempotencyKey}) async {
    final body = jsonEncode({'mobile': mobile});
    return readJson(await _http.send('POST', '${_path(id)}/push', body: body, idempotencyKey: idempotencyKey ?? _randomKey()), 'body');
  }

  /// Closes a bill: nobody can pay it any more.
  Future<Bill> closeBill(String id, {String? reason}) => _change('${_path(id)}/close', reason);

  Future<Bill> reopenBill(String id, {String? reason}) => _change('${_path(id)}/reopen', reason);

  Future<Bill> _change(String path, String? reason) async =>
      Bill.read(await _http.send('POST', path, body: jsonEncode({'reason': reason})));

  /// Says whose customers can pay now.
  Future<List<NetworkStatus>> networks() async => NetworkStatus.readAll(await _http.send('GET', '/networks'));

  /// Reads one page of the event feed.
  Future<EventPage> listEvents({String? after, int? limit}) async {
    final query = {if (after != null) 'after': after, if (limit != null) 'limit': '$limit'};
    return EventPage.read(await _http.send('GET', '/events', query: query), after);
  }

  /// Sends any other request below `/api/v3`, with the same retries. Returns the JSON of the answer. A POST without an [idempotencyKey]
  /// gets a random one, so that a retry does not repeat what the first try did.
  Future<Object?> request(String method, String path, {Map<String, String> query = const {}, String? body, String? idempotencyKey}) =>
      _http.send(method, path, query: query, body: body, idempotencyKey: idempotencyKey ?? (method == 'POST' ? _randomKey() : null));

  /// Lets future events of the sandbox come sooner, and makes its phones answer faster, for tests. A large sandbox needs several requests,
  /// which this sends.
  Future<SandboxTime> controlSandboxTime({int? advanceSeconds, int? delayPercent}) async {
    final change = <String, Object>{
      if (advanceSeconds != null) 'advanceSeconds': advanceSeconds,
      if (delayPercent != null) 'delayPercent': delayPercent,
    };
    final moved = <String, int>{};
    while (true) {
      final part = readJson(await request('POST', '/sandbox/time', body: jsonEncode(change)), 'body');
      final counts = readJson(part['moved'], 'moved');
      for (final kind in counts.keys) {
        moved[kind] = (moved[kind] ?? 0) + readInt(counts, kind);
      }
      if (part['cursor'] == null) return SandboxTime(readInt(part, 'delayPercent'), moved);
      change['after'] = readText(part, 'cursor');
    }
  }

  /// Streams the event feed. With [follow], it asks for new events after that time instead of ending.
  Stream<BillEvent> events({String? after, int? limit, Duration? follow}) async* {
    var cursor = after;
    while (true) {
      final page = await listEvents(after: cursor, limit: limit);
      yield* Stream.fromIterable(page.events);
      cursor = page.cursor;
      if (page.more) continue;
      if (follow == null) return;
      await Future<void>.delayed(follow);
    }
  }

  /// Reads the bill with growing pauses until it is fully paid. Throws [BiliNotPaidException] at the deadline, when the bill is closed, when
  /// it was paid and the payment was reversed since the first read or, with [stopOnFailure], when the last payment request failed.
  Future<Bill> waitUntilPaid(
    String id, {
    Duration deadline = const Duration(minutes: 3),
    Duration poll = const Duration(seconds: 1),
    Duration pollMax = const Duration(seconds: 10),
    bool stopOnFailure = false,
  }) async {
    final waited = Stopwatch()..start();
    Bill? first;
    Bill? bill;
    for (var pause = poll;; pause = _shorter(pause * 1.5, pollMax)) {
      bill = await _readWhileWaiting(id) ?? bill;
      first ??= bill;
      if (bill != null) {
        if (bill.isFullyPaid) return bill;
        if (bill.paidAt != null && first?.paidAt == null) throw BiliNotPaidException(NotPaidReason.reversed, bill);
        if (bill.closedAt != null) throw BiliNotPaidException(NotPaidReason.closed, bill);
        if (stopOnFailure && bill.lastAttempt?.state == 'FAILED') throw BiliNotPaidException(NotPaidReason.attemptFailed, bill);
      }
      final left = deadline - waited.elapsed;
      if (left <= Duration.zero) throw BiliNotPaidException(NotPaidReason.deadline, bill);
      await Future<void>.delayed(_shorter(pause, left));
    }
  }

  /// Returns null if Bili could not be reached: the wait goes on until its deadline.
  Future<Bill?> _readWhileWaiting(String id) async {
    try {
      return await getBill(id);
    } on BiliConnectionException {
      return null;
    } on BiliApiException catch (error) {
      if (error.retryable) return null;
      rethrow;
    }
  }
}

String _path(String id) {
  if (id.isEmpty) throw BiliException('The id of the bill is required');
  return '/bills/${Uri.encodeComponent(id)}';
}

String _billJson(Json bill, String? amount) {
  final rest = jsonEncode({...bill}..remove('amount'));
  if (amount == null) return rest;
  return rest == '{}' ? '{"amount":$amount}' : '{"amount":$amount,${rest.substring(1)}';
}

Duration _shorter(Duration one, Duration other) => one < other ? one : other;

String _randomKey() => [for (var i = 0; i < 16; i++) _random.nextInt(256).toRadixString(16).padLeft(2, '0')].join();
