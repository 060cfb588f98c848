<?php

// Runs calls of the PHP client: a line of JSON for each, and a line for its result.

declare(strict_types=1);

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\HttpFactory;
use TenderPay\CallOptions;
use TenderPay\Decimal;
use TenderPay\File;
use TenderPay\ResultList;
use TenderPay\Tender;
use TenderPay\TenderException;
use TenderPay\Webhook;
use TenderPay\WebhookException;

require '/usr/share/php/GuzzleHttp/autoload.php';
require 'packages/php/autoload.php';

function rows(mixed $found, mixed $read): mixed
{
    if ($found instanceof File) {
        $text = str_replace("\u{FEFF}", '', $found->read());
        return ['type' => $found->contentType, 'text' => $text];
    }
    if (!$found instanceof ResultList) {
        return $found;
    }
    if ($read === 'pages') {
        return iterator_to_array($found->pages(), false);
    }
    return $read === null ? iterator_to_array($found, false) : $found->take($read);
}

function exact(mixed $value): mixed
{
    if (!is_array($value)) {
        return $value;
    }
    if (array_keys($value) === ['file']) {
        return $value['file'];
    }
    return array_keys($value) === ['decimal'] ? new Decimal($value['decimal']) : array_map(exact(...), $value);
}

function run(Tender $tender, array $step): mixed
{
    if ($step['call'] === 'verifyWebhook') {
        $hook = $step['args'][0];
        return Webhook::verify($hook['body'], $hook['headers'], $hook['secret'], now: $hook['now'] ?? null);
    }
    [$resource, $name] = explode('.', $step['call']);
    $options = new CallOptions(...($step['options'] ?? []));
    return rows($tender->$resource->$name(...($step['args'] ?? []), options: $options), $step['read'] ?? null);
}

function outcome(Tender $tender, array $step): array
{
    try {
        return ['result' => run($tender, $step)];
    } catch (TenderException $error) {
        return ['error' => [
            'message' => $error->getMessage(),
            'code' => $error->errorCode,
            'status' => $error->status,
            'requestId' => $error->requestId,
            'retryable' => $error->isRetryable(),
            'retryAfter' => $error->retryAfterSeconds,
            'problem' => $error->problem,
            'fields' => $error->fields(),
        ]];
    } catch (WebhookException $error) {
        return ['error' => ['problem' => $error->problem, 'message' => $error->getMessage()]];
    } catch (InvalidArgumentException) {
        return ['error' => ['refused' => true]];
    }
}

$given = json_decode(fgets(STDIN), true);
$waits = [];
$factory = new HttpFactory();
$tender = new Tender(
    url: $given['url'],
    appId: $given['appId'],
    apiKey: $given['apiKey'],
    http: new Client(['timeout' => 40, 'stream' => in_array('stream', $argv, true)]),
    requests: $factory,
    streams: $factory,
    wait: static function (float $seconds) use (&$waits): void {
        $waits[] = $seconds;
    },
);
while (($line = fgets(STDIN)) !== false) {
    $waits = [];
    $done = outcome($tender, exact(json_decode($line, true)));
    echo json_encode([...$done, 'waits' => $waits], JSON_THROW_ON_ERROR), "\n";
}
