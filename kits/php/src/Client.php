<?php

declare(strict_types=1);

namespace Bili;

/** A client of Bili's merchant API. Times are seconds. */
final class Client
{
    use BillMethods;

    private readonly Http $http;

    /**
     * @param int $maxRetries how often a request is repeated after a lost connection, a time-out, 429 and 5xx
     * @param float $maxRetryAfter the longest Retry-After to wait for; with a longer one, the exception is thrown at once
     * @param bool $allowHttp allows plain HTTP to other hosts than this machine; the secret is readable there
     * @param string|null $scenario for tests: what happens to each request in the sandbox, such as `declined` or `rate-limited`; live
     *                              ignores it
     */
    public function __construct(
        string $baseUrl,
        string $keyId,
        #[\SensitiveParameter] string $secret,
        float $timeout = 15,
        int $maxRetries = 4,
        float $retryPause = 0.5,
        float $maxRetryAfter = 60,
        bool $allowHttp = false,
        ?string $scenario = null,
    ) {
        $this->http = new Http($baseUrl, $keyId, $secret, $timeout, $maxRetries, $retryPause, $maxRetryAfter, $allowHttp, $scenario);
    }

    /**
     * Creates a bill. `ignored` of the result names what Bili did not use, for example an `expiresAt` in the past.
     *
     * @param int|string $amount whole shillings, or a text such as "12500.50". A float is refused, because it may already be rounded.
     * @param int|null $dueAt Unix milliseconds
     * @param string|null $idempotencyKey by default a random key, which makes the retries of this call safe. Give your order number to be
     *                                    safe when your own process crashes and calls again, too.
     * @param array<string, string>|null $metadata your own texts by name
     * @param int|null $expiresAt Unix milliseconds; from then on, nobody is asked to pay the bill
     * @param string|null $returnUrl the page of your shop to which the payment page links
     * @param string|null $language of the payment page: sw or en
     */
    public function createBill(
        mixed $amount,
        string $reference,
        ?string $mobile = null,
        ?string $description = null,
        ?string $customerName = null,
        ?int $dueAt = null,
        ?string $idempotencyKey = null,
        ?string $customerEmail = null,
        ?array $metadata = null,
        ?int $expiresAt = null,
        ?string $returnUrl = null,
        ?string $language = null,
    ): Bill {
        $customer = array_filter(['name' => $customerName, 'email' => $customerEmail], static fn ($value) => $value !== null);
        $body = NewBill::json([
            'amount' => $amount,
            'reference' => $reference,
            'mobile' => $mobile,
            'description' => $description,
            'customer' => $customer === [] ? null : $customer,
            'dueAt' => $dueAt,
            'metadata' => $metadata === null ? null : (object) $metadata,
            'expiresAt' => $expiresAt,
            'returnUrl' => $returnUrl,
            'language' => $language,
        ]);
        $answer = $this->http->send('POST', '/bills/create', [], $body, $idempotencyKey ?? bin2hex(random_bytes(16)));
        $ignored = $this->http->received('bili-ignored');
        return Bill::read($answer, $ignored === null ? [] : explode(', ', $ignored));
    }

    public function getBill(string $id): Bill
    {
        return Bill::read($this->http->send('GET', self::path($id)));
    }

    /** @return list<array{network: string, wallet: string, status: string}> whose customers can pay now */
    public function networks(): array
    {
        return self::items($this->http->send('GET', '/networks'), 'networks');
    }

    /**
     * Reads one page of the event feed.
     *
     * @return array{events: list<Event>, cursor: string, more: bool}
     */
    public function listEvents(?string $after = null, ?int $limit = null): array
    {
        $page = $this->http->send('GET', '/events', ['after' => $after, 'limit' => $limit]);
        $items = self::items($page, 'events');
        $cursor = (string) $page['cursor'];
        $events = [];
        foreach ($items as $index => $item) {
            $at = $index === count($items) - 1 ? $cursor : $after;
            $events[] = new Event((string) $item['id'], (int) $item['date'], Bill::read($item['body']['bill'] ?? null), $at);
        }
        return ['events' => $events, 'cursor' => $cursor, 'more' => ($page['more'] ?? false) === true];
    }

    /**
     * Iterates over the event feed. With $follow, it asks for new events after that many seconds instead of ending.
     *
     * @return \Generator<int, Event>
     */
    public function events(?string $after = null, ?int $limit = null, ?float $follow = null): \Generator
    {
        while (true) {
            $page = $this->listEvents($after, $limit);
            foreach ($page['events'] as $event) {
                yield $event;
            }
            $after = $page['cursor'];
            if ($page['more']) {
                continue;
            }
            if ($follow === null) {
                return;
            }
            usleep((int) ($follow * 1_000_000));
        }
    }

    /**
     * Sends any other request below /api/v3, with the same retries. A POST without an idempotency key gets a random one, so that a retry
     * does not repeat what the first try did.
     *
     * @param array<string, string|int|null> $query
     * @param array<string, mixed>|string|null $body an array, or JSON as text
     */
    public function request(
        string $method,
        string $path,
        array $query = [],
        array|string|null $body = null,
        ?string $idempotencyKey = null,
    ): mixed {
        $key = $idempotencyKey ?? ($method === 'POST' ? bin2hex(random_bytes(16)) : null);
        $text = is_array($body) ? json_encode((object) $body, JSON_THROW_ON_ERROR) : $body;
        return $this->http->send($method, $path, $query, $text, $key);
    }

    /**
     * Lets future events of the sandbox come sooner, and makes its phones answer faster, for tests. A large sandbox needs several
     * requests, which this sends.
     *
     * @return array{delayPercent: int, moved: array<string, int>} how long simulated phones take now, in percent of the usual time, and
     *                                                             how many events come sooner
     */
    public function controlSandboxTime(?int $advanceSeconds = null, ?int $delayPercent = null): array
    {
        $change = ['advanceSeconds' => $advanceSeconds, 'delayPercent' => $delayPercent];
        $moved = [];
        do {
            $answer = $this->request('POST', '/sandbox/time', [], array_filter($change, static fn ($value) => $value !== null));
            self::items($answer, 'moved');
            foreach ($answer['moved'] as $kind => $count) {
                $moved[$kind] = ($moved[$kind] ?? 0) + $count;
            }
            $change['after'] = $answer['cursor'] ?? null;
        } while ($change['after'] !== null);
        return ['delayPercent' => $answer['delayPercent'], 'moved' => $moved];
    }

    /**
     * Reads the bill with growing pauses until it is fully paid. Use it in commands and queues; in a page, poll from the browser instead.
     *
     * @param bool $stopOnFailure also ends when the last payment request failed; otherwise the wait goes on, because the customer can
     *                            try again. After `EXPIRED`, it always goes on: the money can still come.
     * @throws NotPaidException if it is not fully paid at the deadline, is closed, or was paid and its payment was reversed since the
     *                          first read. If that was before the first read, it waits for another payment.
     */
    public function waitUntilPaid(
        string $id,
        float $deadline = 180,
        float $poll = 1,
        float $pollMax = 10,
        bool $stopOnFailure = false,
    ): Bill {
        $end = microtime(true) + $deadline;
        $first = null;
        $bill = null;
        while (true) {
            $bill = $this->readWhileWaiting($id) ?? $bill;
            $first ??= $bill;
            if ($bill?->isFullyPaid()) {
                return $bill;
            }
            if ($bill?->paidAt !== null && $first?->paidAt === null) {
                throw new NotPaidException('reversed', $bill);
            }
            if ($bill?->closedAt !== null) {
                throw new NotPaidException('closed', $bill);
            }
            if ($stopOnFailure && ($bill?->lastAttempt['state'] ?? null) === 'FAILED') {
                throw new NotPaidException('attempt_failed', $bill);
            }
            $left = $end - microtime(true);
            if ($left <= 0) {
                throw new NotPaidException('deadline', $bill);
            }
            usleep((int) (min($poll, $left) * 1_000_000));
            $poll = min($poll * 1.5, $pollMax);
        }
    }

    /** @return Bill|null null if Bili could not be reached: the wait goes on until its deadline */
    private function readWhileWaiting(string $id): ?Bill
    {
        try {
            return $this->getBill($id);
        } catch (ConnectionException) {
            return null;
        } catch (ApiException $error) {
            if ($error->isRetryable()) {
                return null;
            }
            throw $error;
        }
    }

    /** @return list<array<string, mixed>> */
    private static function items(mixed $answer, string $name): array
    {
        $items = is_array($answer) ? $answer[$name] ?? null : null;
        if (!is_array($items)) {
            throw new BiliException("Unexpected answer: \"$name\" is missing. Is this the address of a Bili server?");
        }
        return array_values($items);
    }
}
