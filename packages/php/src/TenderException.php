<?php

declare(strict_types=1);

namespace TenderPay;

use Psr\Http\Message\ResponseInterface;

/**
 * A call was refused or got no usable answer. `$errorCode` is for your program, the message for your log.
 *
 * `$errorCode` is one of the catalogue of the service, or `no_answer` or `unreadable_answer`. After `no_answer`
 * and a status of 500 or more it is not known whether the call had an effect: read the payment, or repeat the
 * call with the same `idempotencyKey`.
 */
final class TenderException extends \RuntimeException
{
    /**
     * @param ?int $status the HTTP status; null without an answer
     * @param ?string $requestId identifies the request in the log of the service
     * @param ?float $retryAfterSeconds when the same call may be sent again
     * @param ?array<string, mixed> $problem the body of the answer, with further members such as
     *     `paymentState` and `allowedActions`
     */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfterSeconds = null,
        public readonly ?array $problem = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, $status ?? 0, $previous);
    }

    /** Whether the same call, with the same `idempotencyKey`, may succeed later. */
    public function isRetryable(): bool
    {
        $isUnknown = $this->errorCode === 'no_answer' || ($this->status ?? 0) >= 500;
        return $isUnknown || $this->status === 429 || $this->retryAfterSeconds !== null;
    }

    /**
     * Every field that the service refused.
     *
     * @return list<array{field: string, message: string}>
     */
    public function fields(): array
    {
        $fields = $this->problem['errors'] ?? null;
        return is_array($fields) ? $fields : [];
    }

    /**
     * The error for an answer with a status other than 2xx.
     *
     * @internal
     */
    public static function refusal(ResponseInterface $response, string $text): self
    {
        $status = $response->getStatusCode();
        $problem = self::problemIn($text);
        return new self(
            $problem['code'] ?? 'unreadable_answer',
            $problem['detail'] ?? "The answer has the status $status and is not from Tender.",
            $status,
            $response->hasHeader('x-request-id') ? $response->getHeaderLine('x-request-id') : null,
            self::retryAfter($response->getHeaderLine('retry-after')),
            $problem,
        );
    }

    /** @return ?array<string, mixed> */
    private static function problemIn(string $text): ?array
    {
        try {
            $problem = Json::decode($text);
        } catch (\JsonException) {
            return null;
        }
        $isOne = is_string($problem['code'] ?? null) && is_string($problem['detail'] ?? null);
        return is_array($problem) && $isOne ? $problem : null;
    }

    /** In seconds; a proxy may send a date instead. */
    private static function retryAfter(string $value): ?float
    {
        if ($value === '' || ctype_digit($value)) {
            return $value === '' ? null : (float) $value;
        }
        $time = strtotime($value);
        return $time === false ? null : (float) max(0, $time - time());
    }
}
