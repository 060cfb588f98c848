<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type ApiKeysListQuery from Types
 * @phpstan-import-type ApiKey from Types
 * @phpstan-import-type ApiKeyInput from Types
 * @phpstan-import-type NewApiKey from Types
 * @phpstan-import-type RotateApiKeyInput from Types
 */
final class ApiKeys
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List the API keys of the app, without the keys themselves.
     *
     * @param ?ApiKeysListQuery $query
     * @return ResultList<ApiKey>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/api-keys', query: $query, options: $options);
    }

    /**
     * Create an API key beside the existing ones.
     *
     * @param ?ApiKeyInput $body
     * @return NewApiKey
     */
    public function create(?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/api-keys', body: $body, options: $options);
    }

    /**
     * Replace an API key; the old one works on for a while.
     *
     * @param ?RotateApiKeyInput $body
     * @return NewApiKey
     */
    public function rotate(string|int $keyId, ?array $body = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/api-keys/{keyId}/rotate',
            [$keyId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Revoke an API key.
     *
     * @return ApiKey
     */
    public function revoke(string|int $keyId, ?CallOptions $options = null): array
    {
        return $this->send->call('DELETE', '/api/apps/{appId}/api-keys/{keyId}', [$keyId], options: $options);
    }
}
