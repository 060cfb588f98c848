<?php

declare(strict_types=1);

namespace TenderPay;

/**
 * The request must not be trusted. `$problem` is `missing-header`, `too-old`, `too-new`, `wrong-signature`,
 * `unusable-secret` or `not-json`.
 */
final class WebhookException extends \RuntimeException
{
    public function __construct(public readonly string $problem, string $message, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
