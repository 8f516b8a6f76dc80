import 'amount.dart';
import 'errors.dart';

typedef Json = Map<String, Object?>;

const _statuses = {'NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID'};

/// A bill. Amounts are texts with two decimals, for example "12500.50". The answer to `createBill` and the webhook have fewer members
/// than the answer to `getBill`: the others are null.
class Bill {
  Bill._(this.raw, this.ignored)
      : id = readText(raw, 'id'),
        mobile = _optional(raw, 'mobile', readText),
        amount = _amount(raw, 'amount'),
        status = readText(raw, 'status'),
        reference = readText(raw, 'reference'),
        webPayUrl = _optional(raw, 'webPayUrl', readText),
        date = _optional(raw, 'date', readDate),
        paidAmount = _optional(raw, 'paidAmount', _amount),
        remainingAmount = _optional(raw, 'remainingAmount', _amount),
        reversedAmount = _optional(raw, 'reversedAmount', _amount),
        paidAt = _optional(raw, 'paidAt', readDate),
        closedAt = _optional(raw, 'closedAt', readDate),
        lastAttempt = _optional(raw, 'lastAttempt', (from, name) => Attempt._(readJson(from[name], name))),
        description = _optional(raw, 'description', readText),
        customerName = _optional(raw, 'customer', (from, name) => _optional(readJson(from[name], name), 'name', readText)),
        dueAt = _optional(raw, 'dueAt', readDate),
        customerEmail = _optional(raw, 'customer', (from, name) => _optional(readJson(from[name], name), 'email', readText)),
        metadata = _optional(raw, 'metadata', (from, name) => readJson(from[name], name)),
        expiresAt = _optional(raw, 'expiresAt', readDate),
        returnUrl = _optional(raw, 'returnUrl', readText),
        language = _optional(raw, 'language', readText) {
    if (!_statuses.contains(status)) throw _wrong('status');
  }

  factory Bill.read(Object? value, {List<String> ignored = const []}) => Bill._(readJson(value, 'bill'), ignored);

  final String id;
  final String? mobile;
  final String amount;

  /// `NOT_PAID`, `PARTIALLY_PAID` or `FULLY_PAID`.
  final String status;
  final String reference;
  final String? webPayUrl;
  final DateTime? date;
  final String? paidAmount;
  final String? remainingAmount;
  final String? reversedAmount;

  /// When the bill was fully paid for the first time.
  final DateTime? paidAt;

  /// Nobody can pay a closed bill.
  final DateTime? closedAt;
  final Attempt? lastAttempt;
  final String? description;
  final String? customerName;
  final DateTime? dueAt;
  final String? customerEmail;

  /// Your own texts by name.
  final Json? metadata;

  /// From then on, nobody is asked to pay the bill.
  final DateTime? expiresAt;
  final String? returnUrl;
  final String? language;

  /// The members of the request that Bili did not use when it created the bill, for example an `expiresAt` in the past.
  final List<String> ignored;

  /// The answer as Bili sent it, with members that this version does not know.
  final Json raw;

  bool get isFullyPaid => status == 'FULLY_PAID';
}

/// The newest payment request to a phone.
class Attempt {
  Attempt._(Json raw)
      : state = readText(raw, 'state'),
        reason = _optional(raw, 'reason', readText),
        at = readDate(raw, 'at');

  /// `PENDING`, `UNKNOWN`, `SUCCEEDED`, `FAILED`, `EXPIRED` or `CANCELLED`.
  final String state;

  /// Why it failed. Bili may add reasons: treat an unknown one like `rejected`.
  final String? reason;
  final DateTime at;
}

/// A change of a bill's status.
class BillEvent {
  BillEvent._read(Json item, this.cursor)
      : id = readText(item, 'id'),
        date = readDate(item, 'date'),
        bill = Bill.read(readJson(item['body'], 'body')['bill']);

  /// Reads the events of one bill, which have no cursor.
  static List<BillEvent> readAll(Object? value) =>
      [for (final item in readList(readJson(value, 'body'), 'events')) BillEvent._read(item, null)];

  /// The `webhook-id`. If you use webhooks too, ignore an id that you know.
  final String id;
  final DateTime date;
  final Bill bill;

  /// Store it after you have processed the event, and give it as `after` when you read on. Within a page, it is the cursor before the
  /// page, so that a crash skips no event. Null within the first page.
  final String? cursor;
}

class EventPage {
  EventPage._(this.events, this.cursor, this.more);

  factory EventPage.read(Object? value, String? after) {
    final page = readJson(value, 'body');
    final cursor = readText(page, 'cursor');
    final items = readList(page, 'events');
    final events = [
      for (final (index, item) in items.indexed)
        BillEvent._read(item, index == items.length - 1 ? cursor : after),
    ];
    return EventPage._(events, cursor, page['more'] == true);
  }

  final List<BillEvent> events;
  final String cursor;
  final bool more;
}

/// A page of the bills, newest first.
class BillPage {
  BillPage._(this.bills, this.cursor, this.more);

  factory BillPage.read(Object? value) {
    final page = readJson(value, 'body');
    final bills = [for (final item in readList(page, 'bills')) Bill.read(item)];
    return BillPage._(bills, _optional(page, 'cursor', readText), page['more'] == true);
  }

  final List<Bill> bills;

  /// Null after the last page.
  final String? cursor;
  final bool more;
}

/// The result for one of several bills.
class BulkResult {
  BulkResult._(Json raw)
      : status = readText(raw, 'status'),
        bill = _optional(raw, 'bill', (from, name) => Bill.read(from[name])),
        code = _optional(raw, 'code', readText),
        error = _optional(raw, 'error', readText),
        ignored = _optional(raw, 'ignored', _texts) ?? const [];

  static List<BulkResult> readAll(Object? value) =>
      [for (final item in readList(readJson(value, 'body'), 'results')) BulkResult._(item)];

  /// `created`, `replayed` or `failed`.
  final String status;
  final Bill? bill;
  final String? code;
  final String? error;

  /// The members of the bill that Bili did not use.
  final List<String> ignored;
}

/// How fast the sandbox is, and which events come sooner.
class SandboxTime {
  SandboxTime(this.delayPercent, this.moved);

  /// How long simulated phones take now, in percent of the usual time.
  final int delayPercent;

  /// How many `bills`, `paymentRequests` and `webhooks` come sooner.
  final Map<String, int> moved;
}

/// Whether the customers of a network can pay now.
class NetworkStatus {
  NetworkStatus._(Json raw)
      : network = readText(raw, 'network'),
        wallet = readText(raw, 'wallet'),
        status = readText(raw, 'status');

  static List<NetworkStatus> readAll(Object? value) =>
      [for (final item in readList(readJson(value, 'body'), 'networks')) NetworkStatus._(item)];

  final String network;
  final String wallet;

  /// `working`, `problems` or `not_served`.
  final String status;
}

BiliException _wrong(String name) =>
    BiliException('Unexpected answer: "$name" is missing or wrong. Is this the address of a Bili server?');

Json readJson(Object? value, String name) => value is Json ? value : throw _wrong(name);

List<Json> readList(Json from, String name) {
  final value = from[name];
  if (value is! List<Object?>) throw _wrong(name);
  return [for (final item in value) readJson(item, name)];
}

String readText(Json from, String name) {
  final value = from[name];
  return value is String ? value : throw _wrong(name);
}

int readInt(Json from, String name) {
  final value = from[name];
  return value is int ? value : throw _wrong(name);
}

DateTime readDate(Json from, String name) {
  final value = from[name];
  return value is int ? DateTime.fromMillisecondsSinceEpoch(value, isUtc: true) : throw _wrong(name);
}

String _amount(Json from, String name) {
  final value = from[name];
  return value is num ? amountText(value) : throw _wrong(name);
}

List<String> _texts(Json from, String name) {
  final value = from[name];
  return value is List<Object?> ? [for (final item in value) '$item'] : throw _wrong(name);
}

Value? _optional<Value>(Json from, String name, Value? Function(Json from, String name) read) =>
    from[name] == null ? null : read(from, name);
