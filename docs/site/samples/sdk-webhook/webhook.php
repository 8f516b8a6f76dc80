<?php
// webhook.php
require 'bili/autoload.php';

$webhook = new Bili\Webhook(getenv('BILI_WEBHOOK_SECRET'));
try {
    $event = $webhook->verifyGlobals();
} catch (Bili\WebhookException $error) {
    error_log($error->getMessage());
    http_response_code(401);
    exit;
}
// Store $event->id and the bill's id here. Your shop reads the bill afterwards.
error_log("Webhook {$event->id}: bill {$event->bill->id} is {$event->bill->status}");
http_response_code(200);
