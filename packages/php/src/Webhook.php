<?php

declare(strict_types=1);

namespace TenderPay;

/**
 * Verifies webhooks of Tender. The signatures follow the Standard Webhooks specification.
 *
 * @phpstan-import-type Payment from Generated\Types
 * @phpstan-type Event array{type: string, eventId: string, createdTime: string, sequence: int, payment?: Payment}
 */
final class Webhook
{
    private const PREFIX = 'whsec_';

    /**
     * Returns the event if the signature is valid and recent; throws a WebhookException otherwise. `$rawBody`
     * must be the received bytes: a parsed and re-serialised body may differ.
     *
     * @param array<string, string|list<string>> $headers as of `getallheaders()` or a PSR-7 request
     * @param string|list<string> $secret a list during rotation
     * @param ?float $now in seconds since 1970, for tests
     * @return Event
     */
    public static function verify(
        string $rawBody,
        array $headers,
        #[\SensitiveParameter] string|array $secret,
        float $toleranceSeconds = 300,
        ?float $now = null,
    ): array {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        self::checkAge($timestamp, $toleranceSeconds, $now ?? microtime(true));
        if (!self::anyMatches((array) $secret, $signatures, "$id.$timestamp.$rawBody")) {
            throw new WebhookException('wrong-signature', 'None of the signatures was made with your secret.');
        }
        try {
            $event = Json::decode($rawBody);
        } catch (\JsonException $error) {
            throw new WebhookException('not-json', 'The body is genuine but not JSON.', $error);
        }
        return is_array($event) ? $event : throw new WebhookException('not-json', 'The body is no event.');
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        $value = array_change_key_case($headers)[$name] ?? '';
        $text = is_array($value) ? ($value[0] ?? '') : $value;
        if ($text === '') {
            throw new WebhookException('missing-header', "The header $name is missing.");
        }
        return $text;
    }

    private static function checkAge(string $timestamp, float $toleranceSeconds, float $now): void
    {
        if (preg_match('/^[0-9]{1,15}$/D', $timestamp) !== 1) {
            throw new WebhookException('missing-header', 'The header webhook-timestamp is no number.');
        }
        $age = $now - (int) $timestamp;
        if ($age > $toleranceSeconds) {
            throw new WebhookException('too-old', 'The webhook is too old: it may be a replay.');
        }
        if ($age < -$toleranceSeconds) {
            throw new WebhookException('too-new', 'The webhook is from the future: check your clock.');
        }
    }

    /** @param list<string> $secrets */
    private static function anyMatches(array $secrets, string $header, string $content): bool
    {
        $matches = false;
        foreach ($secrets as $secret) {
            $expected = hash_hmac('sha256', $content, self::key($secret), true);
            foreach (explode(' ', $header) as $part) {
                $given = str_starts_with($part, 'v1,') ? base64_decode(substr($part, 3), true) : false;
                $matches = ($given !== false && hash_equals($expected, $given)) || $matches;
            }
        }
        return $matches;
    }

    private static function key(string $secret): string
    {
        $text = str_starts_with($secret, self::PREFIX) ? substr($secret, strlen(self::PREFIX)) : $secret;
        $raw = base64_decode($text, true);
        if ($raw === false || $raw === '') {
            throw new WebhookException('unusable-secret', 'The secret is not one: it should look like whsec_….');
        }
        return $raw;
    }
}
