<?php

declare(strict_types=1);

// Refunds. Most run against tests/bili.php, which can lose answers and knows every state.

$state_file = (string) tempnam(sys_get_temp_dir(), 'bili');
$socket = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($socket, false);
fclose($socket);
$server = proc_open(
    [PHP_BINARY, '-S', $address, __DIR__ . '/bili.php'],
    [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']],
    $pipes,
    null,
    ['BILI_STATE' => $state_file],
);
register_shutdown_function(static function () use ($server, $state_file): void {
    proc_terminate($server);
    unlink($state_file);
});
for ($end = microtime(true) + 10; !@stream_socket_client("tcp://$address") && microtime(true) < $end;) {
    usleep(20_000);
}

/** Changes the state of the stand-in for Bili. */
function bili(array $changes): array
{
    global $state_file;
    $state = $changes + (array) json_decode((string) file_get_contents($state_file), true);
    file_put_contents($state_file, json_encode($state));
    return $state;
}

/** Changes the newest refund at Bili. */
function newest_refund(array $changes): void
{
    $refunds = bili([])['refunds'];
    $refunds[0] = $changes + $refunds[0];
    bili(['refunds' => $refunds]);
}

/** An order of TZS 5000 that is paid with a bill of the stand-in. */
function refundable_order(int $id): WC_Order
{
    global $address;
    settings(['base_url' => "http://$address"]);
    $order = new WC_Order($id, '5000');
    $order->meta['_bili_bill_id'] = "bill-$id";
    $bill = ['id' => "bill-$id", 'reference' => "WC-$id"];
    bili(['bill' => $bill, 'refunds' => [], 'seen' => [], 'next' => null, 'late' => false]);
    same(200, webhook("bill-$id", "WC-$id"), 'the webhook of a bill to refund is accepted');
    same('processing', $order->status, 'an order to refund is paid');
    return $order;
}

/** Refunds as wc_create_refund does. @return true|string the error that the shop manager sees */
function wc_refund(WC_Order $order, mixed $amount, string $reason = ''): bool|string
{
    static $id = 2_000_000_000;
    $refund = new WC_Order_Refund($order->get_id(), $reason);
    Shop::call('woocommerce_create_refund', $refund);
    Shop::$orders[$refund->id = $id++] = $refund;
    $result = (new Bili_Gateway())->process_refund($order->get_id(), $amount, $reason);
    if ($result === true) {
        return true;
    }
    unset(Shop::$orders[$refund->id]);
    return $result instanceof WP_Error ? $result->get_error_message() : 'failed';
}

function watch(WC_Order $order): void
{
    Shop::call('bili_watch_refunds', $order->get_id());
}

same(['products', 'refunds'], (new Bili_Gateway())->supports, 'the gateway supports refunds');

// A whole refund.
$order = refundable_order($base + 100);
$watched = 'bili-payments bili_watch_refunds ' . $order->get_id();
same(true, wc_refund($order, '5000.00', 'Damaged'), 'a refund is accepted');
same(['amount' => 5000, 'reason' => 'Damaged'], bili([])['seen'][0]['body'], 'Bili gets amount and reason');
same(1, preg_match('/on its way/', end($order->notes)), 'the note does not say that the refund is done');
same(true, Shop::$scheduled[$watched] - time() <= 60, 'the refund is watched');
$order->status = 'refunded';
$notes = count($order->notes);
newest_refund(['state' => 'SENDING']);
watch($order);
same($notes, count($order->notes), 'nothing is noted while nothing changes for the shop');
newest_refund(['state' => 'DONE', 'receipt' => '8K3J2H1G']);
same(200, webhook($order->meta['_bili_bill_id'], "WC-{$order->get_id()}", 'NOT_PAID'), 'the webhook of a refund is accepted');
same(['refunded', $notes + 1], [$order->status, count($order->notes)], 'a refund is no reversal that holds the order');
same(true, str_contains(end($order->notes), '8K3J2H1G'), 'the note has the receipt number');
watch($order);
same([$notes + 1, false], [count($order->notes), isset(Shop::$scheduled[$watched])], 'a refund that is done is not watched any more');
ob_start();
Shop::call('woocommerce_before_thankyou', $order->get_id());
same('', ob_get_clean(), 'the order page does not ask for the money of a refunded order');

// A part, then another: two refunds. What the operator or the provider takes back still holds the order.
$order = refundable_order($base + 101);
same(true, wc_refund($order, '2000'), 'a part is refunded without a reason');
same(true, str_contains(bili([])['seen'][0]['body']['reason'], (string) $order->get_id()), 'Bili gets a reason all the same');
newest_refund(['state' => 'DONE']);
same(true, wc_refund($order, '2000'), 'the same amount is refunded again');
newest_refund(['state' => 'DONE']);
watch($order);
[$one, $two] = bili([])['seen'];
same([true, 2], [$one['key'] !== $two['key'], count(bili([])['refunds'])], 'another refund has another key');
same('processing', $order->status, 'a part refund leaves the order as it is');
$taken = ['id' => 'taken', 'bill' => null, 'amount' => 1000.0, 'key' => 'taken'] + bili([])['refunds'][0];
bili(['refunds' => [$taken, ...bili([])['refunds']]]);
same(200, webhook($order->meta['_bili_bill_id'], "WC-{$order->get_id()}", 'NOT_PAID'), 'the webhook of a reversal is accepted');
same('on-hold', $order->status, 'a reversal that the shop did not ask for holds the order');
same(true, str_contains(end($order->notes), 'TZS 1000.00'), 'the note is about the reversal only');

// Answers that are lost.
$order = refundable_order($base + 102);
bili(['next' => 'lose the answer']);
same(true, str_contains((string) wc_refund($order, '2000', 'Damaged'), 'not sent twice'), 'a lost answer says that a repetition is safe');
bili(['next' => null]);
newest_refund(['state' => 'DONE']);
same(true, str_contains((string) wc_refund($order, '3000', 'Damaged'), 'another amount'), 'another amount is refused, because the first was accepted');
same(true, wc_refund($order, '2000.00', 'Broken'), 'the repetition is accepted, also with another reason');
same([1, 1], [count(bili([])['refunds']), count(array_unique(array_column(bili([])['seen'], 'key')))], 'the money was sent once');
same(true, wc_refund($order, '2000', 'Broken'), 'after that, the same amount is refunded again');
same(2, count(bili([])['refunds']), 'that is another refund');
$order = refundable_order($base + 103);
bili(['next' => 'lose the answer']);
wc_refund($order, '2000', 'Damaged');
bili(['next' => null]);
newest_refund(['state' => 'DONE']);
webhook($order->meta['_bili_bill_id'], "WC-{$order->get_id()}", 'PARTIALLY_PAID');
same([true, 'processing'], [str_contains(end($order->notes), 'no refund for it'), $order->status], 'a refund without one in WooCommerce is noted');
same(true, wc_refund($order, '2000', 'Damaged'), 'the repetition after the note is accepted');
same([true, 1], [str_contains(end($order->notes), 'no more money'), count(bili([])['refunds'])], 'it sends no money, and says so');
$order = refundable_order($base + 106);
bili(['next' => 'lose the answer']);
wc_refund($order, '2000', 'Damaged');
bili(['next' => null]);
newest_refund(['state' => 'FAILED', 'failure' => 'rejected']);
same(true, str_contains((string) wc_refund($order, '2000', 'Damaged'), 'FAILED (rejected)'), 'the repetition says that the refund failed');
same([true, 2], [wc_refund($order, '2000', 'Damaged'), count(bili([])['refunds'])], 'the next one is another refund');

// The bill was read before a refund was done, and the refunds after that.
$order = refundable_order($base + 107);
wc_refund($order, '5000');
newest_refund(['state' => 'DONE']);
bili(['late' => true]);
same(true, Bili_Rest::refresh($order, $order->meta['_bili_bill_id']), 'a refund that the bill does not have yet is read');
bili(['late' => false]);
same(200, webhook($order->meta['_bili_bill_id'], "WC-{$order->get_id()}", 'NOT_PAID'), 'the webhook after that is accepted');
same(['processing', 2], [$order->status, count($order->notes)], 'two notes say that the refund was accepted and done, and the order is not held');

// Two processes at once.
$order = refundable_order($base + 104);
Shop::$beforeOption = static function () use ($order): void {
    Shop::$options["bili_lock_{$order->get_id()}"] = time();
};
same(true, is_string(wc_refund($order, '2000')), 'a second process refunds nothing');
same([], bili([])['seen'], 'it does not ask Bili');
delete_option("bili_lock_{$order->get_id()}");

// Refunds that fail later.
$order = refundable_order($base + 105);
same(true, wc_refund($order, '5000', 'Damaged'), 'the refund is accepted');
$shop_refund = end(Shop::$orders);
$order->status = 'refunded';
newest_refund(['state' => 'FAILED', 'failure' => 'provider_unavailable']);
Shop::$options['admin_email'] = 'shop@example.com';
watch($order);
watch($order);
same(true, str_contains(end($order->notes), 'FAILED (provider_unavailable)'), 'the note says that the refund failed');
same([1, 'shop@example.com'], [count(Shop::$mails), Shop::$mails[0]['to']], 'the shop manager gets one e-mail');
same([true, true], [str_starts_with($shop_refund->get_reason(), 'FAILED'), str_contains($shop_refund->get_reason(), 'Damaged')], 'the refund says it, too');
same('refunded', $order->status, 'a person decides what happens with the order');
same(true, wc_refund($order, '5000', 'Damaged'), 'it can be refunded again');
same(2, count(bili([])['refunds']), 'that is another refund');

// States that wait.
foreach (['ASKED' => 'approval', 'APPROVED' => 'by hand', 'UNKNOWN' => 'not known yet', 'PAUSED' => 'PAUSED'] as $bili_state => $words) {
    $order = refundable_order($base + 110);
    wc_refund($order, '5000');
    newest_refund(['state' => $bili_state]);
    watch($order);
    same(true, str_contains(end($order->notes), $words), "the note says what $bili_state means");
    same(true, isset(Shop::$scheduled['bili-payments bili_watch_refunds ' . $order->get_id()]), "a refund that is $bili_state is watched");
}
settings(['base_url' => 'http://127.0.0.1:9']);
watch($order);
same(true, isset(Shop::$scheduled['bili-payments bili_watch_refunds ' . $order->get_id()]), 'a refund is watched while Bili cannot be read');

// Refusals.
$order = refundable_order($base + 120);
foreach ([
    'key_scope_missing' => [403, 'scope "refund"'],
    'refund_payment_unclear' => [409, 'several payments'],
    'refund_open' => [409, 'not ended yet'],
    'refund_more_than_left' => [409, 'what is left'],
    'nothing_to_refund' => [409, 'what is left'],
    'amount_too_large' => [400, 'refused: amount_too_large'],
] as $code => [$status, $words]) {
    bili(['next' => [$status, $code]]);
    same(true, str_contains((string) wc_refund($order, '5000'), $words), "the shop manager learns about $code");
}
$seen = count(bili(['next' => null])['seen']);
foreach ([5000.0, null, '0.105', ''] as $amount) {
    same(true, is_string(wc_refund($order, $amount)), 'the amount ' . json_encode($amount) . ' is refused');
}
same([$seen, []], [count(bili([])['seen']), bili([])['refunds']], 'Bili is not asked for them');
unset($order->meta['_bili_bill_id'], $order->meta['_transaction_id']);
same(true, str_contains((string) wc_refund($order, '5000'), 'no Bili bill'), 'an order without a bill cannot be refunded');

// The sandbox.
$order = new WC_Order($base + 130, '5000');
$bill_id = paid_bill($order, '0712345001');
wait_for($bill_id, 'FULLY_PAID');
webhook($bill_id, "WC-{$order->get_id()}");
same(true, wc_refund($order, '5000.00', 'Damaged'), 'the sandbox accepts a refund');
$order->meta['_bili_refunds'] = '';
same(true, wc_refund($order, '5000.00', 'Damaged'), 'the repetition of a refund that was not stored is accepted');
same(1, count($client->refunds($bill_id)), 'the sandbox refunds it once');
wait_for($bill_id, 'NOT_PAID');
$order->status = 'refunded';
same(200, webhook($bill_id, "WC-{$order->get_id()}", 'NOT_PAID'), 'the webhook of the refund is accepted');
same('refunded', $order->status, 'the order stays refunded');
