<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\CallOptions;
use TenderPay\ResultList;
use TenderPay\Sender;

/**
 * @phpstan-import-type FraudPoliciesListQuery from Types
 * @phpstan-import-type FraudPolicy from Types
 * @phpstan-import-type FraudPolicyInput from Types
 * @phpstan-import-type PaymentMethodPolicyRuleMetadata from Types
 * @phpstan-import-type FraudPolicyPatch from Types
 * @phpstan-import-type FraudPoliciesVersionsQuery from Types
 * @phpstan-import-type FraudPolicyVersion from Types
 * @phpstan-import-type FraudPoliciesReplaceRulesInput from Types
 * @phpstan-import-type FraudPoliciesSimulateInput from Types
 * @phpstan-import-type FraudSimulation from Types
 * @phpstan-import-type FraudPoliciesRejectedPaymentsQuery from Types
 * @phpstan-import-type RejectedDashboard from Types
 */
final class FraudPolicies
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

    /**
     * List the fraud policies of the app.
     *
     * @param ?FraudPoliciesListQuery $query
     * @return ResultList<FraudPolicy>
     */
    public function list(?array $query = null, ?CallOptions $options = null): ResultList
    {
        return $this->send->list('/api/apps/{appId}/fraud-policies', query: $query, options: $options);
    }

    /**
     * Create a fraud policy.
     *
     * @param FraudPolicyInput $body
     * @return FraudPolicy
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->send->call('POST', '/api/apps/{appId}/fraud-policies', body: $body, options: $options);
    }

    /**
     * How customers can add a method, by kind of method.
     *
     * @return list<PaymentMethodPolicyRuleMetadata>
     */
    public function ruleMetadata(?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/fraud-policies/payment-method-policy-rule-metadata',
            options: $options,
        );
    }

    /**
     * Read a fraud policy.
     *
     * @return FraudPolicy
     */
    public function get(string|int $fraudPolicyId, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/fraud-policies/{fraudPolicyId}',
            [$fraudPolicyId],
            options: $options,
        );
    }

    /**
     * Change a fraud policy.
     *
     * @param ?FraudPolicyPatch $body
     * @return FraudPolicy
     */
    public function update(
        string|int $fraudPolicyId,
        ?array $body = null,
        ?CallOptions $options = null,
    ): array
    {
        return $this->send->call(
            'PATCH',
            '/api/apps/{appId}/fraud-policies/{fraudPolicyId}',
            [$fraudPolicyId],
            body: $body,
            options: $options,
        );
    }

    /** Delete a fraud policy; customers pinned to it fall back to the default. */
    public function remove(string|int $fraudPolicyId, ?CallOptions $options = null): void
    {
        $this->send->call(
            'DELETE',
            '/api/apps/{appId}/fraud-policies/{fraudPolicyId}',
            [$fraudPolicyId],
            options: $options,
        );
    }

    /**
     * Every version of a fraud policy, newest first, with who changed it and when.
     *
     * @param ?FraudPoliciesVersionsQuery $query
     * @return ResultList<FraudPolicyVersion>
     */
    public function versions(
        string|int $fraudPolicyId,
        ?array $query = null,
        ?CallOptions $options = null,
    ): ResultList
    {
        return $this->send->list(
            '/api/apps/{appId}/fraud-policies/{fraudPolicyId}/versions',
            [$fraudPolicyId],
            query: $query,
            options: $options,
        );
    }

    /**
     * Replace the rules of a fraud policy.
     *
     * @param ?list<FraudPoliciesReplaceRulesInput> $body
     * @return FraudPolicy
     */
    public function replaceRules(
        string|int $fraudPolicyId,
        ?array $body = null,
        ?CallOptions $options = null,
    ): array
    {
        return $this->send->call(
            'PATCH',
            '/api/apps/{appId}/fraud-policies/{fraudPolicyId}/rules',
            [$fraudPolicyId],
            body: $body,
            options: $options,
        );
    }

    /**
     * What a policy would have stopped.
     *
     * @param FraudPoliciesSimulateInput $body
     * @return FraudSimulation
     */
    public function simulate(string|int $fraudPolicyId, array $body, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'POST',
            '/api/apps/{appId}/fraud-policies/{fraudPolicyId}/simulate',
            [$fraudPolicyId],
            body: $body,
            options: $options,
        );
    }

    /**
     * Payments of a period that a fraud policy rejected, by day and currency.
     *
     * @param ?FraudPoliciesRejectedPaymentsQuery $query
     * @return RejectedDashboard
     */
    public function rejectedPayments(?array $query = null, ?CallOptions $options = null): array
    {
        return $this->send->call(
            'GET',
            '/api/apps/{appId}/fraud-policies/dashboard-rejected-payments',
            query: $query,
            options: $options,
        );
    }
}
