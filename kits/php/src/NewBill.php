<?php

declare(strict_types=1);

namespace Bili;

/** The bodies of bills, recorded payments and refunds. */
final class NewBill
{
    /**
     * Returns a bill as JSON.
     *
     * @param array<string, mixed> $members as in the API; the amount is whole shillings, or a text such as "12500.50"
     */
    public static function json(array $members): string
    {
        return self::write(Amount::json($members['amount'] ?? null), $members);
    }

    /** Returns a bill of a list as JSON. Bili itself refuses a wrong bill, so that the others are created. */
    public static function itemJson(mixed $members): string
    {
        if (!is_array($members)) {
            return json_encode($members, JSON_THROW_ON_ERROR);
        }
        $amount = $members['amount'] ?? null;
        // A float becomes a text, so that Bili refuses it like createBill does.
        $text = is_scalar($amount) && !is_bool($amount) ? (string) preg_replace('/\A0+(?=[0-9])/', '', (string) $amount) : '';
        $isNumber = !is_float($amount) && preg_match('/\A-?[0-9]{1,21}(\.[0-9]{1,20})?\z/', $text) === 1;
        return self::write($amount === null || $isNumber ? $text : json_encode($text, JSON_THROW_ON_ERROR), $members);
    }

    /**
     * Returns a refund as JSON.
     *
     * @param int|string|null $amount whole shillings, a text such as "12500.50", or null for what is left of the payment
     */
    public static function refundJson(string $reason, mixed $amount, ?string $payment): string
    {
        return self::write($amount === null ? '' : Amount::json($amount), ['reason' => $reason, 'payment' => $payment]);
    }

    /**
     * Returns a payment that a person received as JSON.
     *
     * @param array<string, mixed> $members as in the API
     */
    public static function paymentJson(mixed $amount, array $members): string
    {
        return self::write(Amount::json($amount), $members);
    }

    /**
     * @param string $amount JSON, or '' without an amount
     * @param array<string, mixed> $members
     */
    private static function write(string $amount, array $members): string
    {
        $others = array_filter($members, static fn ($value, $name) => $value !== null && $name !== 'amount', ARRAY_FILTER_USE_BOTH);
        try {
            $rest = json_encode((object) $others, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        } catch (\JsonException $error) {
            throw new BiliException("The request cannot be written as JSON: {$error->getMessage()}", 0, $error);
        }
        // Written by hand, because json_encode would turn 12500.50 into a double.
        return '{' . implode(',', array_filter([$amount === '' ? '' : "\"amount\":$amount", substr($rest, 1, -1)])) . '}';
    }
}
