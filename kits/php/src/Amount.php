<?php

declare(strict_types=1);

namespace Bili;

/** Exact amounts: whole shillings as an int, or a decimal text such as "12500.50". */
final class Amount
{
    /**
     * Returns an amount as JSON number.
     *
     * @param int|string $amount not declared as such: in a file without strict_types, PHP would round a float, and turn true into 1
     */
    public static function json(mixed $amount): string
    {
        if (is_float($amount)) {
            throw new BiliException(
                'amount must not be a float, because a float may already be rounded: give whole shillings as an int, or a text such as "12500.50"'
            );
        }
        if (!is_int($amount) && !is_string($amount)) {
            throw new BiliException('amount must be an int, or a text with at most two decimals, such as "12500.50"');
        }
        $text = (string) $amount;
        if (is_string($amount) && preg_match('/\A[0-9]{1,15}(\.[0-9]{1,2})?\z/', $text) !== 1) {
            throw new BiliException('amount must be an int, or a text with at most two decimals, such as "12500.50"');
        }
        return (string) preg_replace('/^0+(?=[0-9])/', '', $text);
    }

    /** Returns an amount of an answer as a text with two decimals. A double holds amounts up to 90 billion shillings exactly. */
    public static function text(int|float $amount): string
    {
        return number_format($amount, 2, '.', '');
    }

    /**
     * Returns an amount such as "12500.50" in hundredths of a shilling, to calculate with.
     *
     * @param int|string $amount a float is refused, as in json
     */
    public static function toSenti(mixed $amount): int
    {
        [$shillings, $fraction] = explode('.', self::json($amount) . '.');
        return (int) ($shillings . str_pad($fraction, 2, '0'));
    }
}
