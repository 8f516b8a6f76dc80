<?php

declare(strict_types=1);

// Runs the plugin with stand-ins for WordPress, against the Bili sandbox of BILI_URL, BILI_KEY and BILI_SECRET.

use Bili\Client;

require __DIR__ . '/wordpress.php';
require __DIR__ . '/features.php';
require __DIR__ . '/../../php/autoload.php';
// The packed plugin contains the SDK.
$plugin = file_get_contents(__DIR__ . '/../bili-payments/bili-payments.php');
$source = str_replace("require_once __DIR__ . '/sdk/autoload.php';", '', substr((string) $plugin, 5));
eval(str_replace(['declare(strict_types=1);', '__DIR__', '__FILE__'], ['', var_export(realpath(__DIR__ . '/../bili-payments'), true), var_export(__FILE__, true)], $source));

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
$passed = 0;

function same(mixed $expected, mixed $actual, string $what): void
{
    global $passed;
    if ($expected !== $actual) {
        fwrite(STDERR, "FAILED: $what\n expected " . var_export($expected, true) . "\n actual " . var_export($actual, true) . "\n" . implode("\n", Shop::$log));
        exit(1);
    }
    $passed++;
}

function settings(array $changes = []): void
{
    Shop::$options['woocommerce_bili_settings'] = $changes + [
        'enabled' => 'yes',
        'title' => 'Mobile money',
        'base_url' => getenv('BILI_URL'),
        'key_id' => getenv('BILI_KEY'),
        'secret' => getenv('BILI_SECRET'),
        'webhook_secret' => SECRET,
        'waiting' => 'redirect',
    ];
}

function webhook(string $bill_id, string $reference, string $status = 'FULLY_PAID', string $secret = SECRET): int
{
    $body = json_encode(['bill' => ['id' => $bill_id, 'mobile' => null, 'amount' => 1.5, 'status' => $status, 'reference' => $reference]]);
    $signed = 'msg_1.' . time() . ".$body";
    $signature = base64_encode(hash_hmac('sha256', $signed, (string) base64_decode(substr($secret, 6)), true));
    $headers = ['webhook-id' => 'msg_1', 'webhook-timestamp' => (string) time(), 'webhook-signature' => "v1,$signature"];
    $route = Shop::$routes['bili/v1/webhook'];
    return $route['callback'](new WP_REST_Request((string) $body, $headers))->status;
}

function paid_bill(WC_Order $order, string $mobile): string
{
    settings(['waiting' => 'page']);
    $_POST['bili_mobile'] = $mobile;
    $result = (new Bili_Gateway())->process_payment($order->get_id());
    same('success', $result['result'], "the checkout of order {$order->get_id()} succeeds");
    return Bili_Orders::bill_id($order);
}

function wait_for(string $bill_id, string $status): void
{
    global $client;
    for ($end = microtime(true) + 10; $client->getBill($bill_id)->status !== $status; usleep(50_000)) {
        if (microtime(true) > $end) {
            same($status, $client->getBill($bill_id)->status, 'the sandbox pays in time');
        }
    }
}

$client = new Client((string) getenv('BILI_URL'), (string) getenv('BILI_KEY'), (string) getenv('BILI_SECRET'));
$base = random_int(1_000_000, 900_000_000);

settings();
Shop::call('before_woocommerce_init');
Shop::call('plugins_loaded');
Shop::call('rest_api_init');
same(['custom_order_tables', 'cart_checkout_blocks'], Shop::$features, 'the plugin declares HPOS and checkout blocks');
same([Bili_Gateway::class], Shop::call('woocommerce_payment_gateways', []), 'the gateway is registered');

$gateway = new Bili_Gateway();
same(true, $gateway->is_available(), 'the gateway is available for shillings');
Shop::$currency = 'USD';
same(false, $gateway->is_available(), 'the gateway is not available for dollars');
Shop::$currency = 'TZS';
settings(['secret' => '']);
same(false, (new Bili_Gateway())->is_available(), 'the gateway is not available without a secret');

// The block checkout.
settings(['waiting' => 'page']);
$registry = new class () {
    public ?object $registered = null;

    public function register(object $type): void
    {
        $this->registered = $type;
    }
};
Shop::call('woocommerce_blocks_payment_method_type_registration', $registry);
$registry->registered->initialize();
same('bili', $registry->registered->get_name(), 'the block checkout knows the gateway');
same(true, $registry->registered->is_active(), 'the block checkout offers the gateway');
same(true, $registry->registered->get_payment_method_data()['asksForNumber'], 'the block checkout asks for the number');
same(['bili-blocks'], $registry->registered->get_payment_method_script_handles(), 'the block checkout loads the script');

// Redirect.
settings();
$order = new WC_Order($base, '12500.50');
$first = (new Bili_Gateway())->process_payment($base);
same(true, str_contains($first['redirect'], '/pay?bill='), 'the customer goes to the payment page');
$bill_id = Bili_Orders::bill_id($order);
same('12500.50', $client->getBill($bill_id)->amount, 'the bill has the exact total');
same($first, (new Bili_Gateway())->process_payment($base), 'a second checkout uses the same bill');
$order->meta = [];
(new Bili_Gateway())->process_payment($base);
same($bill_id, Bili_Orders::bill_id($order), 'a checkout whose bill was not stored gets the same bill');
$order->total = '13000';
(new Bili_Gateway())->process_payment($base);
same(true, $bill_id !== Bili_Orders::bill_id($order), 'another total gets another bill');
same(true, Bili_Orders::owns($order, $bill_id), 'the old bill still belongs to the order');

// A webhook that claims a payment.
same(401, webhook($bill_id, "WC-$base", secret: 'whsec_' . base64_encode('another secret of 24 byte')), 'a forged webhook is refused');
same(200, webhook(Bili_Orders::bill_id($order), "WC-$base"), 'a signed webhook is accepted');
same('pending', $order->status, 'an order is completed only if the bill says so itself');
same(200, webhook('0193aa10-0000-7000-8000-000000000001', "WC-$base"), 'a bill of another order is ignored');
same(200, webhook($bill_id, 'TEST-1'), 'a test webhook is accepted');

// Paid on the phone.
$order = new WC_Order($base + 1, '5000');
$bill_id = paid_bill($order, '0712345001');
wait_for($bill_id, 'FULLY_PAID');
same('Paid. Thank you!', Bili_Order_Page::state($order)['text'], 'the order page shows the payment');
same('pending', $order->status, 'only the webhook completes the order');
same(200, webhook($bill_id, $first = "WC-{$order->get_id()}"), 'the webhook is accepted');
same(['processing', 1, $bill_id], [$order->status, $order->completed, $order->meta['_transaction_id']], 'the paid order is completed');
same(200, webhook($bill_id, $first), 'a repeated webhook is accepted');
same(1, $order->completed, 'the order is completed once');
same([], $order->notes, 'no note is added twice');
same("https://shop.example.com/checkout/order-received/{$order->get_id()}", (new Bili_Gateway())->process_payment($order->get_id())['redirect'], 'a paid order is not paid again');

// The lock of another process.
$order = new WC_Order($base + 2, '5000');
$bill_id = paid_bill($order, '0712345001');
wait_for($bill_id, 'FULLY_PAID');
Shop::$options["bili_lock_{$order->get_id()}"] = time();
same(503, webhook($bill_id, "WC-{$order->get_id()}"), 'Bili sends the webhook again while another process applies the bill');
Shop::$options["bili_lock_{$order->get_id()}"] = time() - 61;
same(200, webhook($bill_id, "WC-{$order->get_id()}"), 'the lock of a process that ended is taken over');
same('processing', $order->status, 'the order is completed then');

// Another process applies a later state of the bill while this one waits for the lock.
$order = new WC_Order($base + 8, '5001');
$bill_id = paid_bill($order, '0712345009');
wait_for($bill_id, 'PARTIALLY_PAID');
Shop::$beforeOption = static function () use ($client, $bill_id, $order): void {
    $client->pushBill($bill_id, '0712345001');
    wait_for($bill_id, 'FULLY_PAID');
    same(200, webhook($bill_id, "WC-{$order->get_id()}"), 'the other process completes the order');
};
same(200, webhook($bill_id, "WC-{$order->get_id()}", 'PARTIALLY_PAID'), 'the older webhook is accepted');
same(['processing', 1], [$order->status, $order->completed], 'a paid order does not wait for a rest that is paid');

// Another plugin fails while the order is completed.
$order = new WC_Order($base + 7, '5000');
$bill_id = paid_bill($order, '0712345001');
wait_for($bill_id, 'FULLY_PAID');
Shop::$hooksFail = true;
same(503, webhook($bill_id, "WC-{$order->get_id()}"), 'Bili sends the webhook again if the order could not be completed');
Shop::$hooksFail = false;
same(200, webhook($bill_id, "WC-{$order->get_id()}"), 'the next webhook is accepted');
same('processing', $order->status, 'the next webhook completes the order');

// Part payment, and a total that changed after the payment.
$order = new WC_Order($base + 3, '5001');
$bill_id = paid_bill($order, '0712345009');
wait_for($bill_id, 'PARTIALLY_PAID');
same(200, webhook($bill_id, "WC-{$order->get_id()}", 'PARTIALLY_PAID'), 'the webhook of a part payment is accepted');
same('on-hold', $order->status, 'a partly paid order waits');
same(true, str_contains($order->notes[0], 'TZS 2501.00 are paid, TZS 2500.00 remain'), 'the note says what remains');
$order = new WC_Order($base + 4, '5000');
$bill_id = paid_bill($order, '0712345001');
wait_for($bill_id, 'FULLY_PAID');
$order->total = '9000';
webhook($bill_id, "WC-{$order->get_id()}");
same(['on-hold', 0], [$order->status, $order->completed], 'an order whose total changed is not completed');

// The order was paid in another way, or given up, before the money came.
foreach (['processing', 'completed', 'refunded', 'trash', 'checkout-draft'] as $index => $status) {
    $order = new WC_Order($base + 20 + $index, '5000');
    $bill_id = paid_bill($order, '0712345001');
    wait_for($bill_id, 'FULLY_PAID');
    $order->status = $status;
    if ($order->is_paid()) {
        $order->meta['_transaction_id'] = 'card_ch_1';
    }
    same(200, webhook($bill_id, "WC-{$order->get_id()}"), "the webhook about an order with the status $status is accepted");
    same(['on-hold', 1], [$order->status, count($order->notes)], "an order with the status $status is held when Bili is paid as well");
    same(true, str_contains($order->notes[0], $bill_id), 'the note names the bill');
    same(200, webhook($bill_id, "WC-{$order->get_id()}"), 'the repeated webhook is accepted');
    same(1, count($order->notes), 'the note is added once');
}
$order = new WC_Order($base + 30, '5001');
$bill_id = paid_bill($order, '0712345009');
wait_for($bill_id, 'PARTIALLY_PAID');
[$order->status, $order->meta['_transaction_id']] = ['processing', 'card_ch_2'];
same(200, webhook($bill_id, "WC-{$order->get_id()}", 'PARTIALLY_PAID'), 'the webhook of a part payment of a paid order is accepted');
same('on-hold', $order->status, 'a paid order is held when Bili is partly paid as well');
same(false, str_contains($order->notes[0], 'can pay the rest'), 'nobody asks for the rest of an order that is paid');

// The order page.
$order = new WC_Order($base + 5, '5000');
$bill_id = paid_bill($order, '0712345002');
for ($end = microtime(true) + 10; ($client->getBill($bill_id)->lastAttempt['state'] ?? '') !== 'FAILED' && microtime(true) < $end;) {
    usleep(50_000);
}
ob_start();
Shop::call('woocommerce_before_thankyou', $order->get_id());
$html = (string) ob_get_clean();
same(true, str_contains($html, 'You declined the payment request.'), 'the order page says why the payment failed');
same(true, str_contains($html, esc_url(Bili_Orders::pay_url($order))), 'the order page offers to ask again');
$route = Shop::$routes['bili/v1/orders/(?P<id>\d+)'];
$ask = static fn (string $key): WP_REST_Request => new WP_REST_Request('', [], ['id' => (string) $order->get_id(), 'key' => $key]);
same(false, $route['permission_callback']($ask('wrong')), 'the state of an order needs its key');
same(true, $route['permission_callback']($ask($order->get_order_key())), 'the key of the order opens its state');
same(false, $route['callback']($ask($order->get_order_key()))->data['paid'], 'the state says that the order is not paid');

// The request is sent again.
same(true, str_contains($html, '/again?key=') && !str_contains($html, ' hidden>'), 'the order page offers to send the request again');
$again = Shop::$routes['bili/v1/orders/(?P<id>\d+)/again'];
same(false, $again['permission_callback']($ask('wrong')), 'sending the request again needs the key of the order');
$before = $client->listPaymentRequests($bill_id);
$answer = $again['callback']($ask($order->get_order_key()));
same([303, $order->get_checkout_order_received_url()], [$answer->status, $answer->headers['Location']], 'the customer returns to the order page');
same(count($before) + 1, count($client->listPaymentRequests($bill_id)), 'the phone gets another request');
same(303, $again['callback']($ask($order->get_order_key()))->status, 'a second click leads back, too');
same(count($before) + 1, count($client->listPaymentRequests($bill_id)), 'a second click sends nothing');
same(false, Bili_Order_Page::state($order)['again'], 'while a request is open, the page does not offer another');
settings(['waiting' => 'page', 'base_url' => 'http://127.0.0.1:9']);
$answer = $again['callback']($ask($order->get_order_key()));
same(true, str_contains($answer->headers['Location'], 'bili_again=failed'), 'the customer learns that the request could not be sent');

// Numbers as customers paste them.
settings(['waiting' => 'page']);
foreach (["\u{202a}+255712345003\u{202c}", '712345003', '+255 (0) 712 345 003', '00255712345003', "0712\u{fe0f}345003", '０７１２３４５００３'] as $index => $typed) {
    $order = new WC_Order($base + 40 + $index, '5000');
    same('0712345003', $client->getBill(paid_bill($order, $typed))->mobile, 'the checkout reads ' . json_encode($typed));
}

// Bili cannot be reached, or refuses the number.
$order = new WC_Order($base + 6, '5000');
settings(['base_url' => 'http://127.0.0.1:9']);
same(['result' => 'failure'], (new Bili_Gateway())->process_payment($order->get_id()), 'the checkout fails without Bili');
settings(['waiting' => 'page']);
$_POST['bili_mobile'] = '123';
same(['result' => 'failure'], (new Bili_Gateway())->process_payment($order->get_id()), 'a wrong number fails');
same('error: Enter a Tanzanian mobile number, for example 0712 345 678.', Shop::$notices[1], 'the customer learns what is wrong');
same(false, str_contains(implode("\n", Shop::$log), (string) getenv('BILI_SECRET')), 'the log never contains the secret');

require __DIR__ . '/refunds.php';

// Whoever deletes the plugin takes its secrets away.
define('WP_UNINSTALL_PLUGIN', 'bili-payments/bili-payments.php');
require __DIR__ . '/../bili-payments/uninstall.php';
same(false, get_option('woocommerce_bili_settings'), 'deleting the plugin deletes its settings');

echo "OK, $passed passed\n";
