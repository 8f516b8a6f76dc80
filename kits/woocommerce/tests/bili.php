<?php

declare(strict_types=1);

// Stands for a Bili with one paid bill, behind PHP's own web server. Its state is in the file BILI_STATE: the tests choose there what the
// next refund gets (`next`), in which state the refunds are, and whether the bill has them already (not `late`).

$file = (string) getenv('BILI_STATE');
$state = json_decode((string) file_get_contents($file), true);
$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

function answer(int $status, array $body, string $code = ''): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    if ($code !== '') {
        header("Bili-Error: $code");
    }
    exit(json_encode($body, JSON_PRESERVE_ZERO_FRACTION));
}

if ($_SERVER['REQUEST_METHOD'] === 'POST' && str_ends_with($path, '/refunds')) {
    $key = $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? '';
    $body = json_decode((string) file_get_contents('php://input'), true);
    $state['seen'][] = ['key' => $key, 'body' => $body];
    $next = $state['next'];
    if (is_array($next)) {
        file_put_contents($file, json_encode($state));
        answer($next[0], ['error' => "refused: {$next[1]}"], $next[1]);
    }
    $found = array_values(array_filter($state['refunds'], static fn (array $one): bool => $one['key'] === $key));
    if ($found !== [] && $found[0]['body'] != $body) {
        answer(422, ['error' => 'Idempotency-Key was used with a different request'], 'idempotency_key_reused');
    }
    $refund = $found[0] ?? [
        'id' => 'refund-' . count($state['refunds']), 'bill' => $state['bill']['id'], 'payment' => 'payment-1',
        'amount' => (float) ($body['amount'] ?? 5000), 'state' => 'QUEUED', 'way' => 'reversal', 'reason' => $body['reason'],
        'failure' => null, 'receipt' => null, 'createdAt' => 1795213485580, 'doneAt' => null, 'key' => $key, 'body' => $body,
    ];
    if ($found === []) {
        array_unshift($state['refunds'], $refund);
    }
    file_put_contents($file, json_encode($state));
    $next === 'lose the answer' ? answer(503, ['error' => 'Service temporarily unavailable'], 'unavailable') : answer(200, $refund);
}
if (str_ends_with($path, '/refunds')) {
    answer(200, ['refunds' => $state['refunds']]);
}
$done = array_filter($state['refunds'], static fn (array $one): bool => $one['state'] === 'DONE');
$back = $state['late'] ? 0.0 : (float) array_sum(array_column($done, 'amount'));
answer(200, [
    'paidAmount' => 5000.0 - $back, 'remainingAmount' => $back, 'reversedAmount' => $back,
    'status' => $back === 0.0 ? 'FULLY_PAID' : ($back < 5000 ? 'PARTIALLY_PAID' : 'NOT_PAID'),
    'paidAt' => 1795213485580, 'closedAt' => null, 'mobile' => null, 'amount' => 5000.0, 'lastAttempt' => null,
    'webPayUrl' => 'http://localhost/pay', 'date' => 1795213485580,
] + $state['bill']);
