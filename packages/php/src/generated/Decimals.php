<?php

// Generated from the OpenAPI document by `npm run docs`. Do not edit.

declare(strict_types=1);

namespace TenderPay\Generated;

/** Members that are decimals, whole ones too. */
final class Decimals
{
    public const NAMES = [
        'actualAmount' => true,
        'amount' => true,
        'appFee' => true,
        'appInitialFee' => true,
        'appPercentageFee' => true,
        'approvalRate' => true,
        'balance' => true,
        'capturedAmount' => true,
        'difference' => true,
        'effectiveRate' => true,
        'expectedAmount' => true,
        'fee' => true,
        'fees' => true,
        'fraudProtectedAmount' => true,
        'gross' => true,
        'grossVolume' => true,
        'incomeAmount' => true,
        'licenseAmount' => true,
        'maxAmount' => true,
        'maxRiskScore' => true,
        'maximumAmount' => true,
        'minAmount' => true,
        'minimumAmount' => true,
        'net' => true,
        'netAmount' => true,
        'paidAmount' => true,
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
