<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

/** The webhook's address, and the state of an order for the page that waits. */
final class Bili_Rest
{
    public static function register(): void
    {
        // Public: the signature says who sends it.
        register_rest_route('bili/v1', '/webhook', ['methods' => 'POST', 'callback' => [self::class, 'webhook'], 'permission_callback' => '__return_true']);
        register_rest_route('bili/v1', '/orders/(?P<id>\d+)', [
            'methods' => 'GET',
            'callback' => [self::class, 'order'],
            'permission_callback' => [self::class, 'has_order_key'],
        ]);
        register_rest_route('bili/v1', '/orders/(?P<id>\d+)/again', [
            'methods' => 'POST',
            'callback' => [self::class, 'again'],
            'permission_callback' => [self::class, 'has_order_key'],
        ]);
    }

    public static function webhook(WP_REST_Request $request): WP_REST_Response
    {
        $headers = [];
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            $headers[$name] = (string) $request->get_header($name);
        }
        try {
            $secrets = preg_split('/\s+/', Bili_Settings::get('webhook_secret'), -1, PREG_SPLIT_NO_EMPTY) ?: [];
            $event = (new \Bili\Webhook($secrets))->verify($request->get_body(), $headers);
        } catch (\Bili\WebhookException $error) {
            Bili_Settings::log("A webhook was refused ({$error->reason}): {$error->getMessage()}");
            return new WP_REST_Response(null, 401);
        }
        $order = Bili_Orders::find($event->bill->reference);
        // Test webhooks, and bills of other systems of the same merchant.
        if (!$order || !Bili_Orders::owns($order, $event->bill->id)) {
            return new WP_REST_Response(null, 200);
        }
        return new WP_REST_Response(null, self::refresh($order, $event->bill->id) ? 200 : 503);
    }

    public static function has_order_key(WP_REST_Request $request): bool
    {
        $order = wc_get_order((int) $request->get_param('id'));
        return $order instanceof WC_Order && hash_equals($order->get_order_key(), (string) $request->get_param('key'));
    }

    public static function order(WP_REST_Request $request): WP_REST_Response
    {
        $order = wc_get_order((int) $request->get_param('id'));
        if (!$order instanceof WC_Order || Bili_Orders::bill_id($order) === '') {
            return new WP_REST_Response(null, 404);
        }
        return new WP_REST_Response(Bili_Order_Page::state($order), 200, ['Cache-Control' => 'no-store']);
    }

    /** Sends the payment request again, for the form of the order page, and leads back to the page. */
    public static function again(WP_REST_Request $request): WP_REST_Response
    {
        $order = wc_get_order((int) $request->get_param('id'));
        if (!$order instanceof WC_Order || Bili_Orders::bill_id($order) === '') {
            return new WP_REST_Response(null, 404);
        }
        $address = $order->get_checkout_order_received_url();
        $sent = Bili_Orders::is_settled($order) || Bili_Order_Page::ask_again($order);
        return new WP_REST_Response(null, 303, ['Location' => $sent ? $address : add_query_arg('bili_again', 'failed', $address)]);
    }

    /**
     * Reads the bill and applies what Bili answers: a webhook only says that there is something to read.
     *
     * @return bool whether it is done; otherwise Bili sends the webhook again
     */
    public static function refresh(WC_Order $order, string $bill_id): bool
    {
        try {
            return Bili_Orders::apply($order->get_id(), $bill_id);
        } catch (\Bili\BiliException $error) {
            Bili_Settings::log("Order {$order->get_id()}: bill $bill_id could not be read: {$error->getMessage()}");
            return false;
        }
    }
}
