<?php

declare(strict_types=1);

namespace Bili;

/** Sends requests to Bili, and repeats those that can succeed later. */
final class Http
{
    private const PAUSE_MAX = 8.0;
    private readonly string $base;
    private readonly string $keyId;
    private readonly string $secret;
    /** @var array<string, string> the headers of the last answer, by their names in lower case */
    private array $received = [];

    public function __construct(
        string $baseUrl,
        string $keyId,
        #[\SensitiveParameter] string $secret,
        private readonly float $timeout,
        private readonly int $maxRetries,
        private readonly float $retryPause,
        private readonly float $maxRetryAfter,
        bool $allowHttp,
        private readonly ?string $scenario = null,
    ) {
        $url = parse_url($baseUrl);
        $host = is_array($url) ? $url['host'] ?? '' : '';
        $scheme = is_array($url) ? strtolower($url['scheme'] ?? '') : '';
        $isLocal = preg_match('/\A(localhost|127(\.[0-9]+){3}|\[::1\])\z/', $host) === 1;
        if ($host === '' || !($scheme === 'https' || ($scheme === 'http' && ($allowHttp || $isLocal)))) {
            throw new BiliException(
                'The base URL must begin with https://, for example https://pay.example.com, because every request carries the secret. '
                . 'http:// works for this machine (http://localhost:3001); for other hosts, it needs allowHttp.'
            );
        }
        // A value that was read from a file often ends with a line break.
        $this->keyId = trim($keyId);
        $this->secret = trim($secret);
        foreach ([$this->keyId, $this->secret] as $word) {
            if (preg_match('/\A[!-~]+\z/', $word) !== 1) {
                throw new BiliException('The key id and the secret are required, and contain no spaces or line breaks');
            }
        }
        if ($scenario !== null) {
            self::checkPrintable($scenario, 'The scenario');
        }
        $this->base = preg_replace('#(/api/v3)?/*\z#', '', $baseUrl) . '/api/v3';
    }

    /** Hides the secret in var_dump. */
    public function __debugInfo(): array
    {
        return ['base' => $this->base, 'keyId' => $this->keyId];
    }

    /** Returns a header of the last answer, by its name in lower case. */
    public function received(string $name): ?string
    {
        return $this->received[$name] ?? null;
    }

    /**
     * Sends a request until it is answered.
     *
     * @param array<string, string|int|null> $query
     * @throws ApiException if Bili refuses it, or fails after the last retry
     * @throws ConnectionException if no answer came after the last retry
     */
    public function send(string $method, string $path, array $query = [], ?string $body = null, ?string $idempotencyKey = null): mixed
    {
        for ($retry = 0; ; $retry++) {
            try {
                return $this->sendOnce($method, $path, $query, $body, $idempotencyKey);
            } catch (ApiException | ConnectionException $error) {
                $pause = $this->pauseBefore($retry, $error);
                if ($pause === null) {
                    throw $error;
                }
                usleep((int) ($pause * 1_000_000));
            }
        }
    }

    private function pauseBefore(int $retry, ApiException|ConnectionException $error): ?float
    {
        if ($retry >= $this->maxRetries) {
            return null;
        }
        // Random, so that clients that failed together do not come back together.
        $pause = min(self::PAUSE_MAX, $this->retryPause * 2 ** $retry) * random_int(500, 1000) / 1000;
        if ($error instanceof ConnectionException) {
            return $pause;
        }
        if (!$error->isRetryable()) {
            return null;
        }
        if ($error->retryAfter === null) {
            return $pause;
        }
        return $error->retryAfter > $this->maxRetryAfter ? null : $error->retryAfter + $pause * 0.2;
    }

    /** @param array<string, string|int|null> $query */
    private function sendOnce(string $method, string $path, array $query, ?string $body, ?string $idempotencyKey): mixed
    {
        $parameters = http_build_query(array_filter($query, static fn ($value) => $value !== null));
        $headers = ["Authorization: ApiKey {$this->keyId}:{$this->secret}", 'Accept: application/json', 'Expect:'];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if ($idempotencyKey !== null) {
            self::checkPrintable($idempotencyKey, 'The Idempotency-Key');
            $headers[] = "Idempotency-Key: $idempotencyKey";
        }
        if ($this->scenario !== null) {
            $headers[] = "Bili-Sandbox-Scenario: {$this->scenario}";
        }
        $received = [];
        $curl = curl_init($this->base . '/' . ltrim($path, '/') . ($parameters === '' ? '' : "?$parameters"));
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_USERAGENT => 'bili-php/0.1.0',
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeout * 1000),
            // A redirect could lead the secret to another server.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_HEADERFUNCTION => static function ($_curl, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $text = curl_exec($curl);
        $status = (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if (!is_string($text)) {
            throw new ConnectionException("$method $path: " . curl_error($curl));
        }
        $this->received = $received;
        $json = json_decode($text, true);
        if ($status >= 200 && $status < 300 && is_array($json)) {
            return $json;
        }
        $message = is_array($json) ? $json['error'] ?? null : null;
        throw new ApiException(
            $status,
            is_string($message) ? $message : "The server answered $status without JSON. Check the base URL.",
            $received['bili-error'] ?? null,
            $received['x-request-id'] ?? null,
            self::retryAfter($received['retry-after'] ?? null),
        );
    }

    /** The exception does not show the value. */
    private static function checkPrintable(string $value, string $name): void
    {
        if (preg_match('/\A[\x20-\x7e]{1,255}\z/', $value) !== 1) {
            throw new BiliException("$name must be 1 to 255 printable ASCII characters");
        }
    }

    /** Reads seconds or an HTTP date. */
    private static function retryAfter(?string $value): ?int
    {
        if ($value === null) {
            return null;
        }
        if (ctype_digit($value)) {
            return (int) $value;
        }
        $time = strtotime($value);
        return $time === false ? null : max(0, $time - time());
    }
}
