import 'models.dart';

/// The base of all errors of this package.
class BiliException implements Exception {
  BiliException(this.message);

  final String message;

  @override
  String toString() => '$runtimeType: $message';
}

const _retryableStatuses = {429, 500, 502, 503, 504};
const _retryableCodes = {'idempotency_key_running', 'body_incomplete'};

/// For servers that send no `Bili-Error`.
const _retryableMessages = {
  'A request with this Idempotency-Key is still running',
  'Request body is incomplete',
};

/// Bili refused the request, or could not process it.
class BiliApiException extends BiliException {
  BiliApiException(this.status, super.message, {this.code, this.requestId, this.retryAfter});

  final int status;

  /// The machine-readable code from the header `Bili-Error`; null if the server sent none.
  final String? code;

  /// Give this id to the operator when you ask about the request.
  final String? requestId;

  final Duration? retryAfter;

  /// Whether the same request can succeed later without a change.
  bool get retryable =>
      _retryableStatuses.contains(status) ||
      (code == null ? _retryableMessages.contains(message) : _retryableCodes.contains(code));
}

/// No answer came: connection refused, reset or timed out. The request may have reached Bili.
class BiliConnectionException extends BiliException {
  BiliConnectionException(super.message);
}

/// Why a wait ended. The names are those of the other SDKs: `deadline`, `closed`, `attempt_failed` and `reversed`.
enum NotPaidReason {
  deadline('deadline', 'The bill was not fully paid before the deadline'),
  closed('closed', 'The bill was closed before it was fully paid'),
  attemptFailed('attempt_failed', 'The payment request failed'),
  reversed('reversed', 'The bill was paid, and its payment was reversed');

  const NotPaidReason(this.code, this.message);

  final String code;
  final String message;
}

/// `waitUntilPaid` ended, and the bill is not fully paid.
class BiliNotPaidException extends BiliException {
  BiliNotPaidException(this.reason, this.bill) : super(reason.message);

  final NotPaidReason reason;

  /// The bill as it was read last, or null if it could not be read.
  final Bill? bill;
}

/// The webhook is not accepted. Answer 401.
///
/// The reason is one of: secret_invalid, header_missing, timestamp_invalid, timestamp_too_old, timestamp_too_new,
/// signature_mismatch, body_invalid.
class BiliWebhookException extends BiliException {
  BiliWebhookException(this.reason, super.message);

  final String reason;
}
