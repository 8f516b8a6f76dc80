<?php
$request = curl_init(getenv('BILI_URL') . '/api/v3/bills/' . rawurlencode(getenv('BILL_ID')));
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ['Authorization: ApiKey ' . getenv('BILI_KEY_ID') . ':' . getenv('BILI_SECRET')],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
$answer = curl_exec($request);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
    exit("Error: $answer\n");
}
$bill = json_decode($answer, true);
echo $bill['status'], ' ', $bill['paidAmount'], ' of ', $bill['amount'], "\n";
