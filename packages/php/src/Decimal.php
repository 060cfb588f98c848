<?php

declare(strict_types=1);

namespace TenderPay;

/** A number that is sent exactly, for members that take no text: `new Decimal('2.9')`. */
final class Decimal
{
    public function __construct(public readonly string $digits)
    {
        if (preg_match('/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/D', $digits) !== 1) {
            throw new \InvalidArgumentException("'$digits' is not a decimal.");
        }
    }
}
