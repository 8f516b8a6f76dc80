<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

/** The order page: it waits for the payment and offers to try again. Also an action for orders in the administration. */
final class Bili_Order_Page
{
    /** Longer than a customer needs to look up, shorter than the time between two readings of one browser. */
    private const CACHE_SECONDS = 3;

    public static function register(): void
    {
        // Above the details of the order, so that nobody has to look for what happens on the phone.
        add_action('woocommerce_before_thankyou', [self::class, 'show']);
        add_filter('woocommerce_order_actions', static fn (array $actions): array => $actions + ['bili_check' => __('Check the payment at Bili', 'bili-payments')]);
        add_action('woocommerce_order_action_bili_check', static function (WC_Order $order): void {
            $bill_id = Bili_Orders::bill_id($order);
            if ($bill_id !== '') {
                Bili_Rest::refresh($order, $bill_id);
            }
        });
    }

    /** @param int $order_id */
    public static function show($order_id): void
    {
        $order = wc_get_order($order_id);
        if (!$order instanceof WC_Order || Bili_Orders::is_settled($order) || Bili_Orders::bill_id($order) === '') {
            return;
        }
        $address = add_query_arg('key', $order->get_order_key(), rest_url("bili/v1/orders/{$order->get_id()}"));
        wp_enqueue_script('bili-wait', plugins_url('assets/wait.js', __DIR__), [], '0.1.0', true);
        $again = add_query_arg('key', $order->get_order_key(), rest_url("bili/v1/orders/{$order->get_id()}/again"));
        $state = self::state($order);
        $rest = __('Pay the rest', 'bili-payments');
        // The customer returns from the form with this parameter.
        $failed = ($_GET['bili_again'] ?? '') === 'failed' ? __('The request could not be sent. Use another number, or try again later.', 'bili-payments') : '';
        echo '<section class="bili-payment" data-bili-address="' . esc_url($address) . '"><p role="status">' . esc_html(trim("$failed {$state['text']}")) . '</p>'
            . '<form method="post" action="' . esc_url($again) . '"' . ($state['again'] ? '' : ' hidden') . '><p><button class="button wp-element-button">'
            . esc_html__('Send the request again', 'bili-payments') . '</button></p></form>'
            . '<p><a class="button" href="' . esc_url(Bili_Orders::pay_url($order)) . '" data-rest="' . esc_attr($rest) . '">'
            . esc_html($state['rest'] ? $rest : __('Use another number', 'bili-payments')) . '</a></p></section>';
    }

    /** @return bool whether the customer has a payment request now */
    public static function ask_again(WC_Order $order): bool
    {
        try {
            Bili_Settings::client()->pushBill(Bili_Orders::bill_id($order));
        } catch (\Bili\ApiException $error) {
            // A second click, or the customer has paid meanwhile.
            if (!in_array($error->errorCode, ['payment_request_open', 'bill_paid'], true)) {
                Bili_Settings::log("Order {$order->get_id()}: no payment request was sent: {$error->getMessage()}");
                return false;
            }
        } catch (\Bili\BiliException $error) {
            Bili_Settings::log("Order {$order->get_id()}: {$error->getMessage()}");
            return false;
        }
        delete_transient("bili_state_{$order->get_id()}");
        return true;
    }

    /** @return array{paid: bool, text: string, again: bool, rest: bool} whether the request can be sent again, and whether a part is paid */
    public static function state(WC_Order $order): array
    {
        $name = "bili_state_{$order->get_id()}";
        $cached = get_transient($name);
        if (is_array($cached)) {
            return $cached;
        }
        $state = self::read($order);
        set_transient($name, $state, self::CACHE_SECONDS);
        return $state;
    }

    /** @return array{paid: bool, text: string, again: bool, rest: bool} */
    private static function read(WC_Order $order): array
    {
        try {
            $bill = Bili_Settings::client()->getBill(Bili_Orders::bill_id($order));
        } catch (\Bili\BiliException $error) {
            Bili_Settings::log("Order {$order->get_id()}: {$error->getMessage()}");
            return ['paid' => false, 'text' => __('We cannot see the payment at the moment. Do not pay again: this page keeps looking.', 'bili-payments'), 'again' => false, 'rest' => false];
        }
        // The webhook completes the order. This page only shows what happens.
        $again = $bill->mobile !== null && $bill->status === 'NOT_PAID' && $bill->closedAt === null
            && in_array($bill->lastAttempt['state'] ?? null, ['FAILED', 'EXPIRED', 'CANCELLED'], true);
        return ['paid' => $order->is_paid(), 'text' => self::text($bill), 'again' => $again, 'rest' => $bill->status === 'PARTIALLY_PAID'];
    }

    private static function text(\Bili\Bill $bill): string
    {
        if ($bill->isFullyPaid()) {
            return __('Paid. Thank you!', 'bili-payments');
        }
        if ($bill->closedAt !== null) {
            return __('This bill was closed. Contact the shop.', 'bili-payments');
        }
        if ($bill->status === 'PARTIALLY_PAID') {
            /* translators: 1, 2: amounts */
            return sprintf(__('TZS %1$s are paid, TZS %2$s remain.', 'bili-payments'), $bill->paidAmount, $bill->remainingAmount);
        }
        return match ($bill->lastAttempt['state'] ?? null) {
            'PENDING' => __('Check your phone and enter your PIN.', 'bili-payments'),
            'UNKNOWN' => __('We do not know the outcome yet. Do not pay again.', 'bili-payments'),
            'EXPIRED' => __('The payment request expired. If you entered your PIN, wait for the SMS of your network before you try again.', 'bili-payments'),
            'FAILED' => self::failure($bill->lastAttempt['reason'] ?? null),
            default => __('The bill is not paid yet.', 'bili-payments'),
        };
    }

    private static function failure(?string $reason): string
    {
        return match ($reason) {
            'user_cancelled' => __('You declined the payment request.', 'bili-payments'),
            'wrong_pin' => __('The PIN was wrong.', 'bili-payments'),
            'insufficient_funds' => __('There is too little money in the wallet.', 'bili-payments'),
            'user_timeout' => __('Nobody answered the payment request. If you entered your PIN, wait for the SMS of your network.', 'bili-payments'),
            'mobile_not_registered' => __('This number has no mobile-money wallet.', 'bili-payments'),
            'limit_exceeded' => __('The amount is above a limit of the wallet.', 'bili-payments'),
            default => __('The payment request failed. You have not paid.', 'bili-payments'),
        };
    }
}
