final _invisible = RegExp(r'[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]', unicode: true);
final _marks = RegExp('[\\p{Pd}\u2212.,()/+_\'"]', unicode: true);

/// Matches a number with a decimal, such as `71234500.0`, which a spreadsheet writes. Without the point, it would have one more digit.
final _decimal = RegExp(r'^[^.,]*[.,][0-9]{1,2}[^0-9]*$');
final _shillings = RegExp(r'^(?:t[sz][hs]|shs?)?\.?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.00?)?(?:/[=-])?$', caseSensitive: false);

/// Reads a mobile number that a person typed or pasted: with spaces, punctuation and invisible characters, full-width and Arabic digits,
/// `+255 (0) 712 345 678`, `00255…`, or without the zero in front. Returns the national form, `0712345678`, or null if it is not a Tanzanian
/// mobile number. Show the result to the person, who can then see a wrong reading.
String? readMobile(String text) {
  if (text.length > 100) return null;
  final plain = _normalize(text).replaceAll(RegExp('[oO]'), '0');
  if (_decimal.hasMatch(plain)) return null;
  final national = plain.replaceAll(_marks, '').replaceFirst(RegExp(r'^(?:(?:00)?2550?)?(?=[0-9]{9}$)'), '0');
  return RegExp(r'^0[67][0-9]{8}$').hasMatch(national) ? national : null;
}

/// Reads whole shillings that a person typed: `2000`, `2,000`, `TSh 2 000/=`, `2000.00`. The ambiguous `2.000` is refused. Returns null if the
/// text is not a positive number of whole shillings.
int? readShillings(String text) {
  if (text.length > 40) return null;
  final digits = _shillings.firstMatch(_normalize(text))?.group(1)?.replaceAll(',', '') ?? '';
  final amount = digits.length <= 15 ? int.tryParse(digits) ?? 0 : 0;
  return amount > 0 ? amount : null;
}

String _normalize(String text) => text
    .replaceAllMapped(RegExp('[\uff01-\uff5e]'), (wide) => String.fromCharCode(wide[0]!.codeUnitAt(0) - 0xfee0))
    .replaceAllMapped(RegExp('[\u0660-\u0669\u06f0-\u06f9]'), (digit) => '${digit[0]!.codeUnitAt(0) & 0xf}')
    .replaceAll(_invisible, '');
