<?php

declare(strict_types=1);

namespace Bili;

/** The body of a bill. */
final class NewBill
{
    /**
     * Returns a bill as JSON.
     *
     * @param array<string, mixed> $members as in the API; the amount is whole shillings, or a text such as "12500.50"
     */
    public static function json(array $members): string
    {
        $amount = $members['amount'] ?? null;
        if (!is_int($amount) && !is_string($amount)) {
            throw new BiliException('amount must be an int, or a text with at most two decimals, such as "12500.50"');
        }
        $others = array_filter($members, static fn ($value, $name) => $value !== null && $name !== 'amount', ARRAY_FILTER_USE_BOTH);
        try {
            $rest = json_encode((object) $others, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        } catch (\JsonException $error) {
            throw new BiliException("The bill cannot be written as JSON: {$error->getMessage()}", 0, $error);
        }
        // Written by hand, because json_encode would turn 12500.50 into a double.
        return '{"amount":' . Amount::json($amount) . ($rest === '{}' ? '}' : ',' . substr($rest, 1));
    }
}
