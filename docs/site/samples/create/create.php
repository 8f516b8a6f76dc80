<?php
$request = curl_init(getenv('BILI_URL') . '/api/v3/bills/create');
curl_setopt_array($request, [
    CURLOPT_POSTFIELDS => json_encode(['amount' => 5000, 'reference' => 'ORDER-1', 'mobile' => '0712345001']),
    CURLOPT_HTTPHEADER => [
        'Authorization: ApiKey ' . getenv('BILI_KEY_ID') . ':' . getenv('BILI_SECRET'),
        'Content-Type: application/json',
        'Idempotency-Key: ORDER-1',
    ],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
$answer = curl_exec($request);
if ($answer === false) {
    exit('No answer: ' . curl_error($request) . "\n"); // Send the same request again.
}
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
    exit("Error: $answer\n");
}
$bill = json_decode($answer, true);
echo $bill['id'], ' ', $bill['webPayUrl'], "\n";
