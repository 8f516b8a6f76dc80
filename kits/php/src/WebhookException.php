<?php

declare(strict_types=1);

namespace Bili;

/**
 * The webhook is not accepted. Answer 401.
 *
 * The reason is one of: secret_invalid, header_missing, timestamp_invalid, timestamp_too_old, timestamp_too_new, signature_mismatch,
 * body_invalid.
 */
final class WebhookException extends BiliException
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
