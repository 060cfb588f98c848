<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

/** Members that are decimals, whole ones too. */
final class Decimals
{
    public const NAMES = [
        'amount' => true,
        'appFee' => true,
        'appInitialFee' => true,
        'appPercentageFee' => true,
        'approvalRate' => true,
        'capturedAmount' => true,
        'fees' => true,
        'fraudProtectedAmount' => true,
        'grossVolume' => true,
        'incomeAmount' => true,
        'licenseAmount' => true,
        'maxAmount' => true,
        'maxRiskScore' => true,
        'minAmount' => true,
        'netAmount' => true,
        'processingFee' => true,
        'providerFee' => true,
        'providerInitialFee' => true,
        'providerPercentageFee' => true,
        'refundedAmount' => true,
        'secretFee' => true,
        'shareOfVolume' => true,
        'threshold' => true,
        'totalAmount' => true,
        'volume' => true,
        'weight' => true,
    ];
}
