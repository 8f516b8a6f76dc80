<?php

declare(strict_types=1);

namespace Bili;

/** The methods of the client that find, check, change and refund bills. Times are Unix milliseconds, amounts are texts with two decimals. */
trait BillMethods
{
    /**
     * Creates up to 500 bills, each by itself, so that one mistake does not refuse the others.
     *
     * @param list<array<string, mixed>> $bills the members of the API: amount, reference, mobile, idempotencyKey, …
     * @return list<array{status: string, bill?: Bill, code?: string, error?: string, ignored?: list<string>}> the results in their order:
     *                                                                                                         `created`, `replayed` or
     *                                                                                                         `failed`
     */
    public function createBills(array $bills, ?string $idempotencyKey = null): array
    {
        $body = '{"bills":[' . implode(',', array_map(NewBill::itemJson(...), $bills)) . ']}';
        $answer = $this->http->send('POST', '/bills/bulk', [], $body, $idempotencyKey ?? bin2hex(random_bytes(16)));
        return array_map(
            static fn (array $one): array => isset($one['bill']) ? ['bill' => Bill::read($one['bill'])] + $one : $one,
            self::items($answer, 'results'),
        );
    }

    /**
     * Says what creating a bill would do, without creating it. Fails as creating it would.
     *
     * @param array<string, mixed> $bill the members of the API
     * @return array{mobile: ?string, prompt: ?array<string, ?string>, ignored: list<string>} `prompt.problem` says why no payment request
     *                                                                                        could be sent now
     */
    public function validateBill(array $bill): array
    {
        $answer = $this->http->send('POST', '/bills/validate', [], NewBill::json($bill));
        self::items($answer, 'ignored');
        $prompt = $answer['prompt'] ?? null;
        return ['prompt' => is_array($prompt) ? self::withAmount($prompt) : null] + self::withAmount($answer);
    }

    /**
     * Reads one page of the bills, newest first.
     *
     * @param int|null $from only bills that were created at this time or later
     * @param int|null $to only bills that were created before this time
     * @param array<string, string> $metadata only bills that have all of these texts in their metadata
     * @return array{bills: list<Bill>, cursor: ?string, more: bool} the cursor is null after the last page
     */
    public function listBills(
        ?string $status = null,
        ?string $reference = null,
        ?int $from = null,
        ?int $to = null,
        ?string $after = null,
        ?int $limit = null,
        ?string $mobile = null,
        array $metadata = [],
    ): array {
        $query = compact('status', 'reference', 'mobile', 'from', 'to', 'after', 'limit');
        foreach ($metadata as $name => $text) {
            $query["metadata[$name]"] = (string) $text;
        }
        $page = $this->http->send('GET', '/bills', $query);
        $bills = array_map(static fn (array $one): Bill => Bill::read($one), self::items($page, 'bills'));
        return ['bills' => $bills, 'cursor' => $page['cursor'] ?? null, 'more' => ($page['more'] ?? false) === true];
    }

    /** @return list<array{id: string, payment: string, kind: string, receipt: string, amount: string, date: int}> what was booked on the bill */
    public function listPayments(string $id): array
    {
        return array_map(self::withAmount(...), self::items($this->http->send('GET', self::path($id, '/payments')), 'payments'));
    }

    /** @return list<array<string, mixed>> the payment requests to phones: id, state, reason, network, amount, source, mobile, date, at */
    public function listPaymentRequests(string $id): array
    {
        return array_map(self::withAmount(...), self::items($this->http->send('GET', self::path($id, '/attempts')), 'attempts'));
    }

    /** @return list<Event> the events of the bill, without cursors */
    public function listBillEvents(string $id): array
    {
        return array_map(
            static fn (array $one): Event => new Event((string) $one['id'], (int) $one['date'], Bill::read($one['body']['bill'] ?? null), null),
            self::items($this->http->send('GET', self::path($id, '/events')), 'events'),
        );
    }

    /**
     * Asks a phone to pay what is left of the bill.
     *
     * @param string|null $mobile by default the number of the bill
     * @return array<string, mixed> the payment request, as listPaymentRequests returns it
     */
    public function pushBill(string $id, ?string $mobile = null, ?string $idempotencyKey = null): array
    {
        $body = json_encode((object) array_filter(['mobile' => $mobile]), JSON_THROW_ON_ERROR);
        $answer = $this->http->send('POST', self::path($id, '/push'), [], $body, $idempotencyKey ?? bin2hex(random_bytes(16)));
        return self::withAmount(self::items(['push' => [$answer]], 'push')[0]);
    }

    /** Closes a bill: nobody can pay it any more. */
    public function closeBill(string $id, ?string $reason = null): Bill
    {
        return $this->change(self::path($id, '/close'), $reason);
    }

    public function reopenBill(string $id, ?string $reason = null): Bill
    {
        return $this->change(self::path($id, '/reopen'), $reason);
    }

    /**
     * Returns money of a payment to the customer. The money is seldom back when this method returns: see the state. The API key needs the
     * scope `refund`.
     *
     * @param int|string|null $amount whole shillings, or a text such as "12500.50"; by default what is left of the payment
     * @param string|null $payment the `payment` of an entry of listPayments; required if the bill has money of several payments
     * @param string|null $idempotencyKey by default a random key. Give the number of the return, so that it is never refunded twice.
     */
    public function refund(
        string $id,
        string $reason,
        mixed $amount = null,
        ?string $payment = null,
        ?string $idempotencyKey = null,
    ): Refund {
        $body = NewBill::refundJson($reason, $amount, $payment);
        return Refund::read($this->http->send('POST', self::path($id, '/refunds'), [], $body, $idempotencyKey ?? bin2hex(random_bytes(16))));
    }

    /** @return list<Refund> the refunds of a bill, newest first */
    public function refunds(string $id): array
    {
        return array_map(Refund::read(...), self::items($this->http->send('GET', self::path($id, '/refunds')), 'refunds'));
    }

    /**
     * Asks for the ways to pay the bill without a payment request: a number, a QR code or a link. Asking again changes nothing. The provider
     * issues them after this method has returned: read them with instruments() until they are ACTIVE.
     *
     * @return list<Instrument>
     */
    public function askInstruments(string $id): array
    {
        return self::readInstruments($this->http->send('POST', self::path($id, '/instruments'), [], '{}'));
    }

    /** @return list<Instrument> the payment instruments of a bill, oldest first. Read them again before you show them later. */
    public function instruments(string $id): array
    {
        return self::readInstruments($this->http->send('GET', self::path($id, '/instruments')));
    }

    /** @return list<Instrument> */
    private static function readInstruments(mixed $answer): array
    {
        return array_map(Instrument::read(...), self::items($answer, 'instruments'));
    }

    /**
     * Records money that a person received for a bill, for example cash. The API key needs the scope `record`.
     *
     * @param int|string $amount whole shillings, or a text such as "12500.50"
     * @param string $kind cash, bank or other
     * @param string|null $receivedAt a day such as 2026-11-20, or a time with an offset; by default now
     * @param string|null $slip the number of the slip; a merchant may use it once
     * @param string|null $note for the history of the bill in the dashboard
     * @param bool $overpay whether the amount may be more than what is left of the bill
     * @param string|null $idempotencyKey by default a random key. Give your own number of the payment, so that it is recorded once.
     * @return array<string, mixed> the payment: id, bill, kind, receipt, amount, receivedAt, createdAt
     */
    public function recordPayment(
        string $id,
        mixed $amount,
        string $kind,
        ?string $receivedAt = null,
        ?string $slip = null,
        ?string $note = null,
        bool $overpay = false,
        ?string $idempotencyKey = null,
    ): array {
        $body = NewBill::paymentJson($amount, compact('kind', 'receivedAt', 'slip', 'note', 'overpay'));
        $answer = $this->http->send('POST', self::path($id, '/payments'), [], $body, $idempotencyKey ?? bin2hex(random_bytes(16)));
        return self::withAmount(self::items(['payment' => [$answer]], 'payment')[0]);
    }

    private function change(string $path, ?string $reason): Bill
    {
        $body = json_encode((object) array_filter(['reason' => $reason]), JSON_THROW_ON_ERROR);
        return Bill::read($this->http->send('POST', $path, [], $body));
    }

    /**
     * @param array<string, mixed> $item
     * @return array<string, mixed>
     */
    private static function withAmount(array $item): array
    {
        return isset($item['amount']) ? ['amount' => Amount::text($item['amount'])] + $item : $item;
    }

    private static function path(string $id, string $below = ''): string
    {
        if ($id === '') {
            throw new BiliException('The id of the bill is required');
        }
        return '/bills/' . rawurlencode($id) . $below;
    }
}
