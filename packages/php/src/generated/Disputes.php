<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type DisputesListQuery from Types
 * @phpstan-import-type Dispute from Types
 * @phpstan-import-type DisputeDetails from Types
 * @phpstan-import-type DisputesSaveEvidenceInput from Types
 */
final class Disputes
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List disputes: open ones by deadline, then decided ones, the newest first.
     *
     * @param ?DisputesListQuery $query
     * @return ResultList<Dispute>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/disputes', query: $query, options: $options);
    }

    /**
     * Read a dispute with its evidence and the limits of its provider.
     *
     * @return DisputeDetails
     */
    public function get(string|int $disputeId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/disputes/{disputeId}',
            [$disputeId],
            options: $options,
        );
    }

    /**
     * Save the texts of the evidence as a draft.
     *
     * @param DisputesSaveEvidenceInput $body
     * @return DisputeDetails
     */
    public function saveEvidence(string|int $disputeId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'PUT',
            '/api/apps/{appId}/disputes/{disputeId}/evidence',
            [$disputeId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Remove a file from the draft.
     *
     * @return DisputeDetails
     */
    public function removeFile(string|int $disputeId, string|int $kind, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'DELETE',
            '/api/apps/{appId}/disputes/{disputeId}/files/{kind}',
            [$disputeId, $kind],
            options: $options,
        );
    }

    /**
     * Submit the evidence to the provider.
     *
     * @return DisputeDetails
     */
    public function submit(string|int $disputeId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/disputes/{disputeId}/submit',
            [$disputeId],
            options: $options,
        );
    }

    /**
     * Accept a dispute: the payer keeps the money.
     *
     * @return DisputeDetails
     */
    public function accept(string|int $disputeId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/disputes/{disputeId}/accept',
            [$disputeId],
            options: $options,
        );
    }
}
