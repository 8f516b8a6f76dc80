<?php
require 'bili/autoload.php';

$bili = new Bili\Client(getenv('BILI_URL'), getenv('BILI_KEY_ID'), getenv('BILI_SECRET'));

$bill = $bili->createBill(5000, 'ORDER-1', '0712345001', idempotencyKey: 'ORDER-1');
echo $bill->id, ' ', $bill->webPayUrl, "\n";

$paid = $bili->waitUntilPaid($bill->id, deadline: 60);
echo $paid->status, ' ', $paid->paidAmount, "\n"; // FULLY_PAID 5000.00
