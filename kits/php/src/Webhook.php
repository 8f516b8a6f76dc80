<?php

declare(strict_types=1);

namespace Bili;

/** Verifies webhooks of Bili, which are signed as Standard Webhooks describes. */
final class Webhook
{
    /** @var non-empty-list<string> */
    private readonly array $keys;

    /**
     * @param string|list<string> $secrets the signing secret, whsec_…, or several while one replaces another
     * @param int $tolerance how far the timestamp may be from now, in seconds
     * @param int|null $now Unix seconds, for tests
     */
    public function __construct(
        #[\SensitiveParameter] string|array $secrets,
        private readonly int $tolerance = 300,
        private readonly ?int $now = null,
    ) {
        $keys = [];
        foreach ((array) $secrets as $secret) {
            $key = base64_decode((string) preg_replace('/^whsec_/', '', trim($secret)), true);
            if ($key === false || strlen($key) < 16) {
                throw new WebhookException('secret_invalid', 'The signing secret must be whsec_ and base64');
            }
            $keys[] = $key;
        }
        if ($keys === []) {
            throw new WebhookException('secret_invalid', 'There is no signing secret');
        }
        $this->keys = $keys;
    }

    /** Hides the secrets in var_dump. */
    public function __debugInfo(): array
    {
        return ['tolerance' => $this->tolerance];
    }

    /**
     * Verifies a webhook.
     *
     * @param string $body the raw body; one that was parsed and written again has another signature
     * @param array<string, string|list<string>> $headers by name, in any case
     * @throws WebhookException if it is not from Bili or is too old
     */
    public function verify(string $body, array $headers): Event
    {
        $found = array_change_key_case($headers);
        $id = self::header($found, 'webhook-id');
        $timestamp = self::header($found, 'webhook-timestamp');
        $signatures = self::header($found, 'webhook-signature');
        $this->checkTimestamp($timestamp);
        if (!$this->matches("$id.$timestamp.$body", $signatures)) {
            throw new WebhookException('signature_mismatch', 'No signature matches. Check the secret, and that the body is the raw one.');
        }
        try {
            $json = json_decode($body, true);
            return new Event($id, (int) $timestamp * 1000, Bill::read(is_array($json) ? $json['bill'] ?? null : null));
        } catch (BiliException $error) {
            throw new WebhookException('body_invalid', "The webhook is signed, but is not about a bill: {$error->getMessage()}");
        }
    }

    /** Verifies the request that PHP is answering. Call it before anything else reads php://input. */
    public function verifyGlobals(): Event
    {
        $headers = [];
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            $value = $_SERVER['HTTP_' . strtoupper(str_replace('-', '_', $name))] ?? null;
            if (is_string($value)) {
                $headers[$name] = $value;
            }
        }
        return $this->verify((string) file_get_contents('php://input'), $headers);
    }

    /**
     * Verifies a PSR-7 request, for example of Slim or Mezzio.
     *
     * @param \Psr\Http\Message\RequestInterface $request its type is not declared, so that this package needs no other
     */
    public function verifyPsr7(object $request): Event
    {
        $headers = [];
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            $headers[$name] = $request->getHeaderLine($name);
        }
        return $this->verify((string) $request->getBody(), $headers);
    }

    private function checkTimestamp(string $timestamp): void
    {
        if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
            throw new WebhookException('timestamp_invalid', 'webhook-timestamp is not a number of seconds');
        }
        $age = ($this->now ?? time()) - (int) $timestamp;
        if ($age > $this->tolerance) {
            throw new WebhookException('timestamp_too_old', 'The webhook is too old. Check the clock.');
        }
        if ($age < -$this->tolerance) {
            throw new WebhookException('timestamp_too_new', 'The webhook is from the future. Check the clock.');
        }
    }

    private function matches(string $signed, string $signatures): bool
    {
        foreach ($this->keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
            foreach (explode(' ', $signatures) as $given) {
                if (hash_equals($expected, $given)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        $value = $headers[$name] ?? '';
        $text = is_array($value) ? $value[0] ?? '' : $value;
        if (!is_string($text) || $text === '') {
            throw new WebhookException('header_missing', "The header $name is missing");
        }
        return $text;
    }
}
