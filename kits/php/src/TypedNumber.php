<?php

declare(strict_types=1);

namespace Bili;

/** Reads numbers that people type. */
final class TypedNumber
{
    /** Spaces, and characters that nobody sees: Cc, Cf, and the rest of Default_Ignorable_Code_Point, which old versions of PCRE lack. */
    private const INVISIBLE = '/[\p{Z}\p{Cc}\p{Cf}\x{034F}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180F}\x{2065}\x{3164}'
        . '\x{FE00}-\x{FE0F}\x{FFA0}\x{FFF0}-\x{FFF8}\x{E0000}-\x{E0FFF}]/u';
    private const MARKS = '/[\p{Pd}\x{2212}.,()\/+_\'"]/u';
    /** A spreadsheet writes 71234500.0. Without the point, it would have one more digit. */
    private const DECIMAL = '/\A[^.,]*[.,][0-9]{1,2}[^0-9]*\z/';
    private const SHILLINGS = '/\A(?:t[sz][hs]|shs?)?\.?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.00?)?(?:\/[=-])?\z/i';

    /**
     * Reads a mobile number that a person typed or pasted: with spaces, punctuation and invisible characters, full-width and Arabic digits,
     * `+255 (0) 712 345 678`, `00255…`, or without the zero in front. Show the result to the person, who can then see a wrong reading.
     *
     * @return string|null the national form, `0712345678`; null if it is not a Tanzanian mobile number
     */
    public static function mobile(string $text): ?string
    {
        $plain = str_ireplace('o', '0', self::normalize($text, 100));
        if (preg_match(self::DECIMAL, $plain) === 1) {
            return null;
        }
        $digits = (string) preg_replace(self::MARKS, '', $plain);
        $national = (string) preg_replace('/\A(?:(?:00)?2550?)?(?=[0-9]{9}\z)/', '0', $digits);
        return preg_match('/\A0[67][0-9]{8}\z/', $national) === 1 ? $national : null;
    }

    /**
     * Reads whole shillings that a person typed: `2000`, `2,000`, `TSh 2 000/=`, `2000.00`. The ambiguous `2.000` is refused.
     *
     * @return int|null null if the text is not a positive number of whole shillings
     */
    public static function shillings(string $text): ?int
    {
        $digits = preg_match(self::SHILLINGS, self::normalize($text, 40), $found) === 1 ? str_replace(',', '', $found[1]) : '';
        return strlen($digits) <= 15 && (int) $digits > 0 ? (int) $digits : null;
    }

    /** Returns '' for a text that is too long or is not UTF-8. */
    private static function normalize(string $text, int $maxLength): string
    {
        if (preg_match("/\\A.{0,$maxLength}\\z/us", $text) !== 1) {
            return '';
        }
        $ascii = [];
        // Full-width characters, U+FF01 to U+FF5E.
        for ($code = 0x21; $code <= 0x7e; $code++) {
            $wide = $code + 0xfee0;
            $ascii["\xef" . chr(0x80 | ($wide >> 6 & 0x3f)) . chr(0x80 | ($wide & 0x3f))] = chr($code);
        }
        // Arabic digits, U+0660 and U+06F0.
        for ($digit = 0; $digit <= 9; $digit++) {
            $ascii["\xd9" . chr(0xa0 + $digit)] = $ascii["\xdb" . chr(0xb0 + $digit)] = (string) $digit;
        }
        return (string) preg_replace(self::INVISIBLE, '', strtr($text, $ascii));
    }
}
