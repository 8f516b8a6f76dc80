<?php

declare(strict_types=1);

namespace Bili;

/**
 * A bill. Amounts are texts with two decimals, for example "12500.50"; times are Unix milliseconds. The answer to createBill and the
 * webhook have fewer members than the answer to getBill: the others are null.
 */
final class Bill
{
    /**
     * @param string $status NOT_PAID, PARTIALLY_PAID or FULLY_PAID
     * @param int|null $paidAt when the bill was fully paid for the first time
     * @param int|null $closedAt nobody can pay a closed bill
     * @param array<string, string>|null $metadata your own texts by name
     * @param int|null $expiresAt from then on, nobody is asked to pay the bill
     * @param array{state: string, reason: ?string, at: int}|null $lastAttempt the newest payment request to a phone
     * @param array<string, mixed> $raw the answer as Bili sent it, with members that this version does not know
     * @param list<string> $ignored the members of the request that Bili did not use when it created the bill
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $mobile,
        public readonly string $amount,
        public readonly string $status,
        public readonly string $reference,
        public readonly ?string $webPayUrl,
        public readonly ?int $date,
        public readonly ?string $paidAmount,
        public readonly ?string $remainingAmount,
        public readonly ?string $reversedAmount,
        public readonly ?int $paidAt,
        public readonly ?int $closedAt,
        public readonly ?array $lastAttempt,
        public readonly ?string $description,
        public readonly ?string $customerName,
        public readonly ?int $dueAt,
        public readonly ?string $customerEmail,
        public readonly ?array $metadata,
        public readonly ?int $expiresAt,
        public readonly ?string $returnUrl,
        public readonly ?string $language,
        public readonly array $raw,
        public readonly array $ignored = [],
    ) {
    }

    public function isFullyPaid(): bool
    {
        return $this->status === 'FULLY_PAID';
    }

    /**
     * @param list<string> $ignored
     * @throws BiliException if this is not a bill
     */
    public static function read(mixed $raw, array $ignored = []): self
    {
        $status = is_array($raw) ? $raw['status'] ?? null : null;
        $isBill = in_array($status, ['NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID'], true)
            && is_string($raw['id'] ?? null) && is_string($raw['reference'] ?? null)
            && (is_float($raw['amount'] ?? null) || is_int($raw['amount'] ?? null));
        if (!$isBill) {
            throw new BiliException('Unexpected answer: this is not a bill. Is this the address of a Bili server?');
        }
        $text = static fn (string $name): ?string => isset($raw[$name]) ? (string) $raw[$name] : null;
        $time = static fn (string $name): ?int => isset($raw[$name]) ? (int) $raw[$name] : null;
        $amount = static fn (string $name): ?string => isset($raw[$name]) ? Amount::text($raw[$name]) : null;
        return new self(
            id: $raw['id'],
            mobile: $text('mobile'),
            amount: Amount::text($raw['amount']),
            status: $status,
            reference: $raw['reference'],
            webPayUrl: $text('webPayUrl'),
            date: $time('date'),
            paidAmount: $amount('paidAmount'),
            remainingAmount: $amount('remainingAmount'),
            reversedAmount: $amount('reversedAmount'),
            paidAt: $time('paidAt'),
            closedAt: $time('closedAt'),
            lastAttempt: is_array($raw['lastAttempt'] ?? null) ? $raw['lastAttempt'] : null,
            description: $text('description'),
            customerName: is_array($raw['customer'] ?? null) ? $raw['customer']['name'] ?? null : null,
            dueAt: $time('dueAt'),
            customerEmail: is_array($raw['customer'] ?? null) ? $raw['customer']['email'] ?? null : null,
            metadata: is_array($raw['metadata'] ?? null) ? $raw['metadata'] : null,
            expiresAt: $time('expiresAt'),
            returnUrl: $text('returnUrl'),
            language: $text('language'),
            raw: $raw,
            ignored: $ignored,
        );
    }
}
