<?php

declare(strict_types=1);

namespace Bili;

/** No answer came: connection refused, reset or timed out. The request may have reached Bili. */
final class ConnectionException extends BiliException
{
}
