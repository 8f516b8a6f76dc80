import 'dart:async';
import 'dart:convert';
import 'dart:io';
import 'dart:math';

import 'errors.dart';
import 'models.dart';

const _pauseMax = Duration(seconds: 8);
final _loopback = RegExp(r'^(localhost|127(\.[0-9]+){3}|::1)$');
final _word = RegExp(r'^[!-~]+$');
final _random = Random.secure();

/// Sends requests to Bili, and repeats those that can succeed later.
class Http {
  Http({
    required String baseUrl,
    required String keyId,
    required String secret,
    required this.timeout,
    required this.maxRetries,
    required this.retryPause,
    required this.maxRetryAfter,
    required bool allowHttp,
    required this.scenario,
  })  : _base = '${baseUrl.replaceFirst(RegExp(r'/+$'), '')}/api/v3',
        _authorization = 'ApiKey ${keyId.trim()}:${secret.trim()}' {
    final url = Uri.parse(baseUrl);
    final isSafe = url.scheme == 'https' || (url.scheme == 'http' && (allowHttp || _loopback.hasMatch(url.host)));
    if (url.host.isEmpty || !isSafe) {
      throw BiliException('baseUrl must begin with https://, because every request carries the secret. Plain HTTP needs allowHttp.');
    }
    // A value that was read from a file often ends with a line break.
    if (!_word.hasMatch(keyId.trim()) || !_word.hasMatch(secret.trim())) {
      throw BiliException('keyId and secret are required, and contain no spaces or line breaks');
    }
    if (scenario != null && !_word.hasMatch(scenario!)) throw BiliException('scenario must not contain spaces or line breaks');
    _client.connectionTimeout = timeout;
  }

  final String _base;
  final String _authorization;
  final Duration timeout;
  final int maxRetries;
  final Duration retryPause;
  final Duration maxRetryAfter;
  final String? scenario;
  final HttpClient _client = HttpClient();

  void close() => _client.close();

  /// Sends a request until it is answered. [onHeaders] gets the headers of the last answer if it is a success. Throws [BiliApiException] or
  /// [BiliConnectionException].
  Future<Object?> send(
    String method,
    String path, {
    Map<String, String> query = const {},
    String? body,
    String? idempotencyKey,
    void Function(HttpHeaders headers)? onHeaders,
  }) async {
    for (var retry = 0;; retry++) {
      try {
        return await _sendOnce(method, path, query, body, idempotencyKey, onHeaders);
      } on BiliException catch (error) {
        final pause = _pauseBefore(retry, error);
        if (pause == null) rethrow;
        await Future<void>.delayed(pause);
      }
    }
  }

  Duration? _pauseBefore(int retry, BiliException error) {
    if (retry >= maxRetries) return null;
    final longest = min(_pauseMax.inMilliseconds, retryPause.inMilliseconds * pow(2, retry).toInt());
    // Random, so that clients that failed together do not come back together.
    final pause = Duration(milliseconds: (longest * (0.5 + _random.nextDouble() / 2)).round());
    if (error is BiliConnectionException) return pause;
    if (error is! BiliApiException || !error.retryable) return null;
    final wanted = error.retryAfter;
    if (wanted == null) return pause;
    return wanted > maxRetryAfter ? null : wanted + pause * 0.2;
  }

  Future<Object?> _sendOnce(
    String method,
    String path,
    Map<String, String> query,
    String? body,
    String? idempotencyKey,
    void Function(HttpHeaders headers)? onHeaders,
  ) async {
    final url = Uri.parse('$_base$path${query.isEmpty ? '' : '?${Uri(queryParameters: query).query}'}');
    try {
      return await _exchange(method, url, body, idempotencyKey, onHeaders).timeout(timeout);
    } on BiliException {
      rethrow;
    } on TimeoutException {
      throw BiliConnectionException('$method ${url.path}: no answer within ${timeout.inMilliseconds} ms');
    } on IOException catch (error) {
      throw BiliConnectionException('$method ${url.path}: $error');
    }
  }

  Future<Object?> _exchange(
    String method,
    Uri url,
    String? body,
    String? idempotencyKey,
    void Function(HttpHeaders headers)? onHeaders,
  ) async {
    final request = await _client.openUrl(method, url);
    // A redirect could lead the secret to another server.
    request.followRedirects = false;
    request.headers
      ..set('authorization', _authorization)
      ..set('accept', 'application/json')
      ..set('user-agent', 'bili-dart/0.1.0');
    if (scenario != null) request.headers.set('bili-sandbox-scenario', scenario!);
    if (idempotencyKey != null) request.headers.set('idempotency-key', idempotencyKey);
    if (body != null) {
      final bytes = utf8.encode(body);
      request.headers.set('content-type', 'application/json');
      request.contentLength = bytes.length;
      request.add(bytes);
    }
    final response = await request.close();
    final json = _parse(await response.transform(utf8.decoder).join());
    if (response.statusCode >= 200 && response.statusCode < 300 && json != null) {
      onHeaders?.call(response.headers);
      return json;
    }
    final message = json is Json ? json['error'] : null;
    throw BiliApiException(
      response.statusCode,
      message is String ? message : 'The server answered ${response.statusCode} without JSON. Check the base URL.',
      code: response.headers.value('bili-error'),
      requestId: response.headers.value('x-request-id'),
      retryAfter: _retryAfter(response.headers.value('retry-after')),
    );
  }
}

Object? _parse(String text) {
  try {
    return jsonDecode(text);
  } on FormatException {
    return null;
  }
}

/// Reads seconds or an HTTP date.
Duration? _retryAfter(String? value) {
  if (value == null) return null;
  final seconds = int.tryParse(value);
  if (seconds != null) return Duration(seconds: max(0, seconds));
  try {
    final wait = HttpDate.parse(value).difference(DateTime.now());
    return wait.isNegative ? Duration.zero : wait;
  } on HttpException {
    return null;
  }
}
