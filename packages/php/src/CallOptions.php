<?php

declare(strict_types=1);

namespace TenderPay;

/** How one call is sent. */
final class CallOptions
{
    /**
     * @param ?string $idempotencyKey identifies this call. All tries carry the same key, a random one by
     *     default. Give your own if you repeat the call yourself after an error
     * @param ?int $waitSeconds how long the service waits for a provider: up to 30 seconds, 10 by default.
     *     0: it answers at once
     * @param ?int $maxRetries how many times the call is sent again
     * @param ?string $apiKey another credential, such as the operator token for `licenses->create`
     * @param array<string, string> $headers further headers, such as `sealing-key` of an import
     */
    public function __construct(
        public readonly ?string $idempotencyKey = null,
        public readonly ?int $waitSeconds = null,
        public readonly ?int $maxRetries = null,
        #[\SensitiveParameter] public readonly ?string $apiKey = null,
        #[\SensitiveParameter] public readonly array $headers = [],
    ) {
    }
}
