import 'dart:convert';

import 'package:crypto/crypto.dart';

import 'errors.dart';
import 'models.dart';

final _timestamp = RegExp(r'^[0-9]{1,12}$');

/// A verified webhook.
class WebhookEvent {
  WebhookEvent._(this.id, this.timestamp, this.bill);

  /// It is the same when Bili sends the webhook again: store it, and ignore an id that you know.
  final String id;

  /// When this request was sent.
  final DateTime timestamp;

  /// The bill as it was at the time of the event. Read it with `getBill` before you hand over the goods: its status may have changed since.
  final Bill bill;
}

/// Verifies webhooks of Bili, which are signed as Standard Webhooks describes.
class Webhook {
  /// Takes the signing secret, or several while one replaces another. [now] is for tests.
  Webhook(List<String> secrets, {this.tolerance = const Duration(minutes: 5), DateTime Function() now = DateTime.now})
      : _keys = secrets.map(_readSecret).toList(growable: false),
        _now = now {
    if (_keys.isEmpty) throw BiliWebhookException('secret_invalid', 'There is no signing secret');
  }

  final List<List<int>> _keys;
  final DateTime Function() _now;

  /// How far the timestamp may be from now.
  final Duration tolerance;

  /// Verifies a webhook by the bytes of its raw body and its headers. A value may be a list, as some frameworks represent it. Throws
  /// [BiliWebhookException] if it is not accepted.
  WebhookEvent verify(List<int> body, Map<String, Object?> headers) {
    final found = headers.map((name, value) => MapEntry(name.toLowerCase(), value));
    final id = _header(found, 'webhook-id');
    final timestamp = _header(found, 'webhook-timestamp');
    final signatures = _header(found, 'webhook-signature');
    final sent = _checkTimestamp(timestamp);
    if (!_matches([...utf8.encode('$id.$timestamp.'), ...body], signatures)) {
      throw BiliWebhookException('signature_mismatch', 'No signature matches. Check the secret, and that the body is the raw one.');
    }
    try {
      return WebhookEvent._(id, sent, Bill.read(readJson(jsonDecode(utf8.decode(body)), 'body')['bill']));
    } on FormatException catch (error) {
      throw BiliWebhookException('body_invalid', 'The webhook is signed, but is not JSON: ${error.message}');
    } on BiliException catch (error) {
      throw BiliWebhookException('body_invalid', 'The webhook is signed, but is not about a bill: ${error.message}');
    }
  }

  DateTime _checkTimestamp(String timestamp) {
    if (!_timestamp.hasMatch(timestamp)) {
      throw BiliWebhookException('timestamp_invalid', 'webhook-timestamp is not a number of seconds');
    }
    final sent = DateTime.fromMillisecondsSinceEpoch(int.parse(timestamp) * 1000, isUtc: true);
    final age = _now().difference(sent);
    if (age > tolerance) throw BiliWebhookException('timestamp_too_old', 'The webhook is too old. Check the clock.');
    if (age < -tolerance) throw BiliWebhookException('timestamp_too_new', 'The webhook is from the future. Check the clock.');
    return sent;
  }

  bool _matches(List<int> signed, String signatures) {
    final given = signatures.split(' ');
    for (final key in _keys) {
      final expected = 'v1,${base64.encode(Hmac(sha256, key).convert(signed).bytes)}';
      for (final signature in given) {
        if (_sameText(expected, signature)) return true;
      }
    }
    return false;
  }
}

List<int> _readSecret(String secret) {
  List<int> key;
  try {
    key = base64.decode(secret.replaceFirst(RegExp('^whsec_'), ''));
  } on FormatException {
    key = const [];
  }
  if (key.length < 16) throw BiliWebhookException('secret_invalid', 'The signing secret must be whsec_ and base64');
  return key;
}

String _header(Map<String, Object?> headers, String name) {
  final given = headers[name];
  final value = given is List && given.isNotEmpty ? given.first : given;
  if (value is! String || value.isEmpty) throw BiliWebhookException('header_missing', 'The header $name is missing');
  return value;
}

/// Compares in constant time.
bool _sameText(String one, String other) {
  if (one.length != other.length) return false;
  var difference = 0;
  for (var index = 0; index < one.length; index++) {
    difference |= one.codeUnitAt(index) ^ other.codeUnitAt(index);
  }
  return difference == 0;
}
