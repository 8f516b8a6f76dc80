import 'dart:convert';

import 'errors.dart';

final _number = RegExp(r'^-?[0-9]{1,21}(\.[0-9]{1,20})?$');
final _decimal = RegExp(r'^[0-9]{1,15}(\.[0-9]{1,2})?$');

/// Returns an amount as JSON number. A double is refused, because it may already be rounded.
String amountJson(Object amount) {
  if (amount is int) return '$amount';
  if (amount is! String || !_decimal.hasMatch(amount)) {
    throw BiliException('amount must be an int, or a text with at most two decimals, such as "12500.50"');
  }
  // JSON allows no leading zeros.
  return amount.replaceFirst(RegExp(r'^0+(?=[0-9])'), '');
}

/// Returns an amount as JSON without a check: Bili refuses a wrong one. A double becomes a text. Null without an amount.
String? uncheckedAmountJson(Object? amount) {
  if (amount == null) return null;
  final text = '$amount'.replaceFirst(RegExp(r'^0+(?=[0-9])'), '');
  return amount is! double && _number.hasMatch(text) ? text : jsonEncode(text);
}

/// Returns an amount of an answer as a text with two decimals. A double holds amounts up to 90 billion shillings exactly.
String amountText(num amount) => amount.toStringAsFixed(2);

/// Returns an amount such as "12500.50" in hundredths of a shilling, to calculate with.
int toSenti(String amount) {
  final parts = amountJson(amount).split('.');
  final fraction = parts.length == 2 ? parts[1] : '';
  return int.parse(parts[0] + fraction.padRight(2, '0'));
}
