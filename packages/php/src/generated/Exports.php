<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\File;
use TenderPay\Sender;

/**
 * @phpstan-import-type ExportsCreateInput from Types
 * @phpstan-import-type Export from Types
 */
final class Exports
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * Make a file of payments, refunds, disputes, customers, links, events or everything.
     *
     * @param ExportsCreateInput $body
     * @return Export
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/exports', body: $body, options: $options);
    }

    /**
     * List the exports of the last seven days, the newest first.
     *
     * @return list<Export>
     */
    public function list(?CallOptions $options = null): array
    {
        return $this->send->call('GET', '/api/apps/{appId}/exports', options: $options);
    }

    /**
     * Read an export and its progress.
     *
     * @return Export
     */
    public function get(string|int $exportId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/exports/{exportId}',
            [$exportId],
            options: $options,
        );
    }

    /** Remove an export and its file. */
    public function remove(string|int $exportId, ?CallOptions $options = null): void
    {
        $this->send->call('DELETE', '/api/apps/{appId}/exports/{exportId}', [$exportId], options: $options);
    }

    /** Read the file of an export that is done. */
    public function file(string|int $exportId, ?CallOptions $options = null): File
    {
        return $this->send->file('/api/apps/{appId}/exports/{exportId}/file', [$exportId], options: $options);
    }

    /**
     * Cancel an export that is not done.
     *
     * @return Export
     */
    public function cancel(string|int $exportId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/exports/{exportId}/cancel',
            [$exportId],
            options: $options,
        );
    }
}
