<?php

declare(strict_types=1);

namespace Bili;

/** A way to pay a bill without a payment request to a phone. Times are Unix milliseconds. */
final class Instrument
{
    /**
     * @param string $state PENDING, ACTIVE or ENDED. Give only an ACTIVE one to a customer.
     * @param string $kind the provider's word for this kind of instrument
     * @param string $amount a text with two decimals
     * @param string|null $number the number that the customer enters in the menu of the wallet
     * @param string|null $qr the text of a TANQR code, to be drawn as a QR code
     * @param string|null $link the provider's page, for example for cards
     * @param list<string> $networks the networks whose wallets can pay the number
     * @param string $takes exact: only this amount, once. open: payments of any amount.
     * @param string|null $reason why it has ended: paid, changed, closed, expired, refused or lost
     */
    public function __construct(
        public readonly string $id,
        public readonly string $state,
        public readonly string $kind,
        public readonly string $amount,
        public readonly ?string $number,
        public readonly ?string $qr,
        public readonly ?string $link,
        public readonly array $networks,
        public readonly string $takes,
        public readonly ?int $expiresAt,
        public readonly ?int $endedAt,
        public readonly ?string $reason,
    ) {
    }

    /** @throws BiliException if this is not an instrument */
    public static function read(mixed $raw): self
    {
        $texts = is_array($raw) ? array_filter($raw, is_string(...)) : [];
        $isInstrument = isset($texts['id'], $texts['state'], $texts['kind'], $texts['takes'])
            && (is_float($raw['amount'] ?? null) || is_int($raw['amount'] ?? null)) && is_array($raw['networks'] ?? null);
        if (!$isInstrument) {
            throw new BiliException('Unexpected answer: this is not an instrument. Is this the address of a Bili server?');
        }
        return new self(
            $texts['id'],
            $texts['state'],
            $texts['kind'],
            Amount::text($raw['amount']),
            $texts['number'] ?? null,
            $texts['qr'] ?? null,
            $texts['link'] ?? null,
            array_values(array_map(strval(...), $raw['networks'])),
            $texts['takes'],
            is_int($raw['expiresAt'] ?? null) ? $raw['expiresAt'] : null,
            is_int($raw['endedAt'] ?? null) ? $raw['endedAt'] : null,
            $texts['reason'] ?? null,
        );
    }
}
