<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type BlockListListQuery from Types
 * @phpstan-import-type BlockEntry from Types
 * @phpstan-import-type BlockEntryInput from Types
 */
final class BlockList
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * The block list of the app, newest entries first.
     *
     * @param ?BlockListListQuery $query
     * @return ResultList<BlockEntry>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/block-list', query: $query, options: $options);
    }

    /**
     * Take no more payments from a card, an e-mail address, an IP address, a customer or a country.
     *
     * @param BlockEntryInput $body
     * @return BlockEntry
     */
    public function add(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/block-list', body: $body, options: $options);
    }

    /** Remove an entry of the block list. */
    public function remove(string|int $entryId, ?CallOptions $options = null): void
    {
        $this->send->call('DELETE', '/api/apps/{appId}/block-list/{entryId}', [$entryId], options: $options);
    }
}
