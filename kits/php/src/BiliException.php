<?php

declare(strict_types=1);

namespace Bili;

/** The base of all exceptions of this package. */
class BiliException extends \RuntimeException
{
}
