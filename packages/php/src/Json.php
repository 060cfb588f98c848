<?php

declare(strict_types=1);

namespace TenderPay;

use TenderPay\Generated\Decimals;

/**
 * JSON with exact decimals: they are text here and numbers there. A float is refused, because it is not exact.
 *
 * @internal
 */
final class Json
{
    private const DEPTH = 512;
    private const FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_BIGINT_AS_STRING;
    /** A number with a fraction or an exponent, outside of texts. */
    private const FRACTION = '/"(?:[^"\\\\]++|\\\\.)*+"(*SKIP)(*FAIL)|-?\d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+/s';

    public static function encode(mixed $value): string
    {
        if ($value === []) {
            return '{}';
        }
        return self::part($value);
    }

    private static function part(mixed $value): string
    {
        if ($value instanceof Decimal) {
            return $value->digits;
        }
        if (is_array($value) && array_is_list($value)) {
            return '[' . implode(',', array_map(self::part(...), $value)) . ']';
        }
        if (is_array($value) || $value instanceof \stdClass) {
            $members = [];
            foreach ((array) $value as $name => $member) {
                $members[] = json_encode((string) $name, self::FLAGS) . ':' . self::part($member);
            }
            return '{' . implode(',', $members) . '}';
        }
        self::refuseFloat($value);
        return json_encode($value, self::FLAGS);
    }

    public static function refuseFloat(mixed $value): void
    {
        if (is_float($value)) {
            throw new \InvalidArgumentException(
                "$value is a float, which is not exact: use a text, an int or TenderPay\\Decimal."
            );
        }
    }

    public static function decode(string $text): mixed
    {
        $quoted = preg_replace_callback(
            self::FRACTION,
            static fn (array $found): string => ctype_digit(ltrim($found[0], '-')) ? $found[0] : "\"$found[0]\"",
            $text,
        );
        if ($quoted === null) {
            throw new \JsonException(preg_last_error_msg());
        }
        return self::exact(json_decode($quoted, true, self::DEPTH, self::FLAGS));
    }

    /** A whole amount is text too. */
    private static function exact(mixed $value): mixed
    {
        if (!is_array($value)) {
            return $value;
        }
        foreach ($value as $name => $member) {
            $isAmount = is_int($member) && isset(Decimals::NAMES[$name]);
            $value[$name] = $isAmount ? (string) $member : self::exact($member);
        }
        return $value;
    }
}
