<?php

declare(strict_types=1);

use Bili\Amount;
use Bili\BiliException;
use Bili\Client;
use Bili\NewBill;
use Bili\Refund;
use Bili\Webhook;
use Bili\WebhookException;

require __DIR__ . '/../autoload.php';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const BODY = '{"bill":{"id":"0193aa10-0000-7000-8000-000000000001","mobile":"0712345001","amount":5000.0,"status":"FULLY_PAID","reference":"ORDER-1"}}';
const HEADERS = [
    'webhook-id' => 'msg_0193aa11-0000-7000-8000-000000000001',
    'webhook-timestamp' => '1795213486',
    'webhook-signature' => 'v1,mpt1OWpdIBDwfEwiMYi069hYw2NH4lJdIg45f5xweMI=',
];

$passed = 0;

function same(mixed $expected, mixed $actual, string $what): void
{
    global $passed;
    if ($expected !== $actual) {
        fwrite(STDERR, "FAILED: $what\n expected " . var_export($expected, true) . "\n actual " . var_export($actual, true) . "\n");
        exit(1);
    }
    $passed++;
}

/** @return string|null the class of the exception */
function thrown(callable $call): ?string
{
    try {
        $call();
    } catch (Throwable $error) {
        return $error instanceof WebhookException ? $error->reason : $error::class;
    }
    return null;
}

foreach ([[5000, '5000'], ['12500.50', '12500.50'], ['007', '7'], ['0.10', '0.10']] as [$given, $expected]) {
    same($expected, Amount::json($given), "the amount $given is written as given");
}
foreach (['1e3', '1.005', '', '-1', "1\n"] as $given) {
    same(BiliException::class, thrown(static fn () => Amount::json($given)), "the amount $given is refused");
}
foreach ([19.99 * 100, 5000.0, true, null, []] as $given) {
    same(BiliException::class, thrown(static fn () => Amount::json($given)), 'the amount ' . json_encode($given) . ' is refused');
    same(BiliException::class, thrown(static fn () => Amount::toSenti($given)), json_encode($given) . ' is not converted to senti');
}
same(1250050, Amount::toSenti('12500.50'), 'amounts become hundredths of a shilling');
same(700, Amount::toSenti('7'), 'whole amounts become hundredths of a shilling');

same(BiliException::class, thrown(static fn () => new Client('http://pay.example.com', 'key', 's3cret')), 'plain HTTP is refused');
same(null, thrown(static fn () => new Client('http://localhost:3001', 'key', 's3cret')), 'plain HTTP is allowed on this machine');
same(false, str_contains(print_r(new Client('https://pay.example.com', 'key', 's3cret'), true), 's3cret'), 'the secret is not printed');
foreach (["s3\ncret", '', 's3 cret'] as $secret) {
    same(BiliException::class, thrown(static fn () => new Client('https://pay.example.com', 'key', $secret)), 'a malformed secret is refused');
}
same(null, thrown(static fn () => new Client('https://pay.example.com', "key\n", "s3cret\r\n")), 'credentials may end with a line break');
same(null, thrown(static fn () => new Webhook(SECRET . "\n")), 'a signing secret may end with a line break');
same(
    BiliException::class,
    thrown(static fn () => (new Client('http://127.0.0.1:9', 'key', 's3cret'))->createBill(1, 'A', idempotencyKey: "a\r\nX: y")),
    'a key cannot add a header',
);
same(
    BiliException::class,
    thrown(static fn () => (new Client('http://127.0.0.1:9', 'key', 's3cret'))->createBill(1, "\xff")),
    'a reference that is not UTF-8 is refused',
);

same('{"amount":12500.50,"reason":"Damaged"}', NewBill::refundJson('Damaged', '12500.50', null), 'the amount of a refund is written as given');
same('{"reason":"Damaged","payment":"p-1"}', NewBill::refundJson('Damaged', null, 'p-1'), 'a refund needs no amount');
foreach ([0.1, true, '', '1e3'] as $given) {
    $refund = static fn () => (new Client('http://127.0.0.1:9', 'key', 's3cret'))->refund('b-1', 'Damaged', $given);
    same(BiliException::class, thrown($refund), 'a refund of ' . json_encode($given) . ' is refused before it is sent');
}
$answer = ['id' => 'r-1', 'bill' => 'b-1', 'payment' => 'p-1', 'amount' => 12500.5, 'state' => 'QUEUED', 'way' => 'reversal', 'reason' => 'Damaged']
    + ['failure' => null, 'receipt' => null, 'createdAt' => 1795213485580, 'doneAt' => null];
$refund = Refund::read($answer);
same(['12500.50', false, null], [$refund->amount, $refund->isFinal(), $refund->receipt], 'a refund is read');
same(true, Refund::read(['state' => 'DONE', 'doneAt' => 1795213485581] + $answer)->isFinal(), 'a refund that is done is final');
same(BiliException::class, thrown(static fn () => Refund::read(['amount' => '12500.50'] + $answer)), 'another answer is no refund');

$webhook = new Webhook(SECRET, now: 1795213486);
$request = new class () {
    public function getHeaderLine(string $name): string
    {
        return HEADERS[strtolower($name)] ?? '';
    }

    public function getBody(): string
    {
        return BODY;
    }
};
same('ORDER-1', $webhook->verifyPsr7($request)->bill->reference, 'a PSR-7 request is verified');
same('header_missing', thrown(static fn () => $webhook->verifyGlobals()), 'the current request has no headers');
same('body_invalid', thrown(static function () {
    $body = '{"bill":{}}';
    $key = base64_decode('MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=');
    $signature = 'v1,' . base64_encode(hash_hmac('sha256', "msg_1.1795213486.$body", $key, true));
    (new Webhook(SECRET, now: 1795213486))->verify($body, ['webhook-signature' => $signature, 'webhook-id' => 'msg_1'] + HEADERS);
}), 'a signed body that is not about a bill is refused');

echo "OK, $passed passed\n";
