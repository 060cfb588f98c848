<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

use TenderPay\Sender;

/** Every operation of the API, by resource. */
abstract class Resources
{
    public readonly Service $service;
    public readonly Licenses $licenses;
    public readonly App $app;
    public readonly ApiKeys $apiKeys;
    public readonly PaymentProfiles $paymentProfiles;
    public readonly Team $team;
    public readonly Customers $customers;
    public readonly Events $events;
    public readonly Webhooks $webhooks;
    public readonly WebhookEndpoints $webhookEndpoints;
    public readonly FraudPolicies $fraudPolicies;
    public readonly BlockList $blockList;
    public readonly Routing $routing;
    public readonly RefundApprovals $refundApprovals;
    public readonly Payments $payments;
    public readonly Ledger $ledger;
    public readonly Settlements $settlements;
    public readonly Disputes $disputes;
    public readonly PaymentLinks $paymentLinks;
    public readonly Exports $exports;
    public readonly ExportSchedules $exportSchedules;
    public readonly Imports $imports;
    public readonly ApiLog $apiLog;
    public readonly TestHelpers $testHelpers;

    /** @internal */
    public function __construct(Sender $send)
    {
        $this->service = new Service($send);
        $this->licenses = new Licenses($send);
        $this->app = new App($send);
        $this->apiKeys = new ApiKeys($send);
        $this->paymentProfiles = new PaymentProfiles($send);
        $this->team = new Team($send);
        $this->customers = new Customers($send);
        $this->events = new Events($send);
        $this->webhooks = new Webhooks($send);
        $this->webhookEndpoints = new WebhookEndpoints($send);
        $this->fraudPolicies = new FraudPolicies($send);
        $this->blockList = new BlockList($send);
        $this->routing = new Routing($send);
        $this->refundApprovals = new RefundApprovals($send);
        $this->payments = new Payments($send);
        $this->ledger = new Ledger($send);
        $this->settlements = new Settlements($send);
        $this->disputes = new Disputes($send);
        $this->paymentLinks = new PaymentLinks($send);
        $this->exports = new Exports($send);
        $this->exportSchedules = new ExportSchedules($send);
        $this->imports = new Imports($send);
        $this->apiLog = new ApiLog($send);
        $this->testHelpers = new TestHelpers($send);
    }
}
