<?php

// Calls the PHP package for the conformance tests. Like most shops, this file does not declare strict types, and reports no deprecations:
// PHP then converts an argument to the declared type of a parameter without a word.
error_reporting(E_ALL & ~E_DEPRECATED);

require __DIR__ . '/../../php/autoload.php';

set_error_handler(static function (int $level, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $level, $file, $line);
}, E_ALL & ~E_DEPRECATED);

$state = new stdClass();
$commands = [
    'configure' => static function (array $args) use ($state): mixed {
        $state->client = new Bili\Client(
            $args['baseUrl'],
            $args['keyId'],
            $args['secret'],
            maxRetries: $args['maxRetries'] ?? 4,
            retryPause: $args['retryPauseMs'] / 1000,
            scenario: $args['scenario'] ?? null,
        );
        return null;
    },
    'createBill' => static fn (array $args): mixed => $state->client->createBill(...$args),
    'getBill' => static fn (array $args): mixed => $state->client->getBill($args['id']),
    'waitUntilPaid' => static fn (array $args): mixed => $state->client->waitUntilPaid(
        $args['id'],
        deadline: $args['deadlineMs'] / 1000,
        poll: $args['pollMs'] / 1000,
        stopOnFailure: $args['stopOnFailure'] ?? false,
    ),
    'events' => static function (array $args) use ($state): mixed {
        $events = iterator_to_array($state->client->events($args['after'] ?? null, $args['limit'] ?? null), false);
        return ['events' => $events, 'cursor' => $events === [] ? $args['after'] ?? null : end($events)->cursor];
    },
    'post' => static fn (array $args): mixed => $state->client->request('POST', $args['path'], [], $args['body']),
    'controlSandboxTime' => static fn (array $args): mixed => $state->client->controlSandboxTime(...$args),
    'createBills' => static fn (array $args): mixed => $state->client->createBills($args['bills'], $args['idempotencyKey'] ?? null),
    'validateBill' => static fn (array $args): mixed => $state->client->validateBill($args),
    'listBills' => static fn (array $args): mixed => $state->client->listBills(...$args),
    'listPayments' => static fn (array $args): mixed => $state->client->listPayments($args['id']),
    'listPaymentRequests' => static fn (array $args): mixed => $state->client->listPaymentRequests($args['id']),
    'listBillEvents' => static fn (array $args): mixed => $state->client->listBillEvents($args['id']),
    'pushBill' => static fn (array $args): mixed => $state->client->pushBill(...$args),
    'closeBill' => static fn (array $args): mixed => $state->client->closeBill(...$args),
    'reopenBill' => static fn (array $args): mixed => $state->client->reopenBill(...$args),
    'refund' => static fn (array $args): mixed => $state->client->refund(...$args),
    'refunds' => static fn (array $args): mixed => $state->client->refunds($args['id']),
    'askInstruments' => static fn (array $args): mixed => $state->client->askInstruments($args['id']),
    'instruments' => static fn (array $args): mixed => $state->client->instruments($args['id']),
    'recordPayment' => static fn (array $args): mixed => $state->client->recordPayment(...$args),
    'readMobile' => static fn (array $args): mixed => ['mobile' => Bili\TypedNumber::mobile($args['text'])],
    'readShillings' => static fn (array $args): mixed => ['shillings' => Bili\TypedNumber::shillings($args['text'])],
    'networks' => static fn (array $args): mixed => $state->client->networks(),
    'verifyWebhook' => static fn (array $args): mixed => (new Bili\Webhook($args['secrets'], now: $args['now'] ?? null))
        ->verify($args['body'], $args['headers']),
];

function describe(Throwable $error): array
{
    $base = ['message' => $error->getMessage()];
    return $base + match (true) {
        $error instanceof Bili\ApiException => [
            'type' => 'api',
            'status' => $error->status,
            'code' => $error->errorCode,
            'requestId' => $error->requestId,
            'retryable' => $error->isRetryable(),
        ],
        $error instanceof Bili\ConnectionException => ['type' => 'connection'],
        $error instanceof Bili\NotPaidException => ['type' => 'not_paid', 'reason' => $error->reason, 'bill' => $error->bill],
        $error instanceof Bili\WebhookException => ['type' => 'webhook', 'reason' => $error->reason],
        $error instanceof Bili\BiliException => ['type' => 'argument'],
        default => ['type' => 'other', 'trace' => (string) $error],
    };
}

while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    try {
        $answer = ['result' => $commands[$request['command']]($request['args'])];
    } catch (Throwable $error) {
        $answer = ['error' => describe($error)];
    }
    fwrite(STDOUT, json_encode($answer, JSON_THROW_ON_ERROR) . "\n");
}
