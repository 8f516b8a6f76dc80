<?php

declare(strict_types=1);

namespace Bili;

/** A change of a bill's status, from the event feed or a webhook. */
final class Event
{
    /**
     * @param string $id the webhook-id; it is the same when Bili sends the webhook again: ignore an id that you know
     * @param int $date Unix milliseconds
     * @param string|null $cursor store it after you have processed an event of the feed, and continue with it. Within a page, it is the
     *                            cursor before the page, so that a crash skips no event. Null within the first page, and in webhooks.
     */
    public function __construct(
        public readonly string $id,
        public readonly int $date,
        public readonly Bill $bill,
        public readonly ?string $cursor = null,
    ) {
    }
}
