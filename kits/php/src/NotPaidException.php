<?php

declare(strict_types=1);

namespace Bili;

/** waitUntilPaid ended, and the bill is not fully paid. */
final class NotPaidException extends BiliException
{
    private const MESSAGES = [
        'deadline' => 'The bill was not fully paid before the deadline',
        'closed' => 'The bill was closed before it was fully paid',
        'attempt_failed' => 'The payment request failed',
        'reversed' => 'The bill was paid, and its payment was reversed',
    ];

    /**
     * @param 'deadline'|'closed'|'attempt_failed'|'reversed' $reason
     * @param Bill|null $bill the bill as it was read last, or null if it could not be read
     */
    public function __construct(public readonly string $reason, public readonly ?Bill $bill)
    {
        parent::__construct(self::MESSAGES[$reason]);
    }
}
