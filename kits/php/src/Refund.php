<?php

declare(strict_types=1);

namespace Bili;

/** Money of a payment that goes back to the customer. Times are Unix milliseconds. */
final class Refund
{
    /**
     * @param string|null $bill its id; null if the operator returned the payment, whatever bills had its money
     * @param string $amount a text with two decimals
     * @param string $state ASKED: waits for the approval of a second person. APPROVED: a person returns the money by hand. QUEUED, SENDING:
     *                      on its way. UNKNOWN: the outcome is not known yet; Bili keeps asking, and the money must not be returned in
     *                      another way. DONE: the customer has the money. FAILED: the customer does not get it. Bili may add states.
     * @param string $way how the money is returned: reversal, payout or hand
     * @param string|null $failure why it failed; null unless it has failed
     * @param string|null $receipt the receipt number of the money that was returned
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $bill,
        public readonly string $payment,
        public readonly string $amount,
        public readonly string $state,
        public readonly string $way,
        public readonly string $reason,
        public readonly ?string $failure,
        public readonly ?string $receipt,
        public readonly int $createdAt,
        public readonly ?int $doneAt,
    ) {
    }

    /** Whether the state does not change any more. */
    public function isFinal(): bool
    {
        return $this->state === 'DONE' || $this->state === 'FAILED';
    }

    /** @throws BiliException if this is not a refund */
    public static function read(mixed $raw): self
    {
        $texts = is_array($raw) ? array_filter($raw, is_string(...)) : [];
        $isRefund = isset($texts['id'], $texts['payment'], $texts['state'], $texts['way'], $texts['reason'])
            && (is_float($raw['amount'] ?? null) || is_int($raw['amount'] ?? null)) && is_int($raw['createdAt'] ?? null);
        if (!$isRefund) {
            throw new BiliException('Unexpected answer: this is not a refund. Is this the address of a Bili server?');
        }
        return new self(
            $texts['id'],
            $texts['bill'] ?? null,
            $texts['payment'],
            Amount::text($raw['amount']),
            $texts['state'],
            $texts['way'],
            $texts['reason'],
            $texts['failure'] ?? null,
            $texts['receipt'] ?? null,
            $raw['createdAt'],
            is_int($raw['doneAt'] ?? null) ? $raw['doneAt'] : null,
        );
    }
}
