<?php

declare(strict_types=1);

namespace Bili;

/** Bili refused the request, or could not process it. */
final class ApiException extends BiliException
{
    private const RETRYABLE_STATUSES = [429, 500, 502, 503, 504];
    private const RETRYABLE_CODES = ['idempotency_key_running', 'body_incomplete'];
    /** For servers that send no Bili-Error. */
    private const RETRYABLE_MESSAGES = ['A request with this Idempotency-Key is still running', 'Request body is incomplete'];

    /**
     * @param string|null $errorCode the machine-readable code from the header Bili-Error; null if the server sent none
     * @param string|null $requestId give this id to the operator when you ask about the request
     * @param int|null $retryAfter what Retry-After asked for, in seconds
     */
    public function __construct(
        public readonly int $status,
        string $message,
        public readonly ?string $errorCode,
        public readonly ?string $requestId,
        public readonly ?int $retryAfter,
    ) {
        parent::__construct($message, $status);
    }

    /** Whether the same request can succeed later without a change. */
    public function isRetryable(): bool
    {
        if (in_array($this->status, self::RETRYABLE_STATUSES, true)) {
            return true;
        }
        return $this->errorCode === null
            ? in_array($this->getMessage(), self::RETRYABLE_MESSAGES, true)
            : in_array($this->errorCode, self::RETRYABLE_CODES, true);
    }
}
