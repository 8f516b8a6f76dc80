<?php
// webhook.php
function is_from_bili(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    if ($id === '' || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input'); // the raw bytes
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
if (!is_from_bili(getenv('BILI_WEBHOOK_SECRET'), $id, $timestamp, $signatures, $body)) {
    http_response_code(401);
    exit;
}
$bill = json_decode($body, true)['bill'];
// Store $id and $bill['id'] here. Your shop reads the bill afterwards.
error_log("Webhook $id: bill {$bill['id']} is {$bill['status']}");
http_response_code(200);
