<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

/** The payment method of the classic and the block checkout. */
final class Bili_Gateway extends WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = 'bili';
        $this->method_title = __('Bili', 'bili-payments');
        $this->method_description = __('Mobile-money payments in Tanzania through your Bili server.', 'bili-payments');
        $this->has_fields = true;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = (string) $this->get_option('title');
        $this->description = (string) $this->get_option('description');
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = Bili_Settings::fields();
    }

    /** Bili knows shillings only. */
    public function is_available(): bool
    {
        return parent::is_available() && get_woocommerce_currency() === 'TZS' && Bili_Settings::is_complete();
    }

    public function payment_fields(): void
    {
        echo wp_kses_post(wpautop($this->description));
        if (Bili_Settings::get('waiting') === 'page') {
            echo '<p class="form-row form-row-wide"><label for="bili-mobile">' . esc_html__('Mobile-money number', 'bili-payments')
                . '</label><input id="bili-mobile" name="bili_mobile" type="tel" class="input-text" autocomplete="tel-national" placeholder="0712 345 678"></p>';
        }
    }

    /** @param int $order_id */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        if (!$order instanceof WC_Order) {
            return ['result' => 'failure'];
        }
        $on_page = Bili_Settings::get('waiting') === 'page';
        try {
            $bill = Bili_Orders::bill($order, $on_page ? $this->mobile($order) : null);
        } catch (\Bili\BiliException $error) {
            return $this->failed($order, $error);
        }
        $is_prompted = $on_page && $bill->mobile !== null && $bill->lastAttempt === null;
        $is_done = $bill->isFullyPaid();
        if ($is_done && WC()->cart) {
            WC()->cart->empty_cart();
        }
        // An order that is paid for again has a bill whose prompt has ended: the payment page sends the next one.
        return ['result' => 'success', 'redirect' => $is_done || $is_prompted ? $this->get_return_url($order) : Bili_Orders::pay_url($order)];
    }

    /**
     * @param int $order_id
     * @param string $amount
     * @param string $reason
     * @return bool|WP_Error
     */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        $result = Bili_Orders::locked((int) $order_id, static function () use ($order_id, $amount, $reason): bool|WP_Error {
            $order = wc_get_order($order_id);
            return $order instanceof WC_Order ? Bili_Refunds::request($order, $amount, (string) $reason) : false;
        });
        return $result ?? new WP_Error('bili_refund', __('Another refund or payment of this order is being recorded. Look at the order again in a minute.', 'bili-payments'));
    }

    private function mobile(WC_Order $order): ?string
    {
        // WooCommerce has checked the nonce of the checkout.
        $typed = isset($_POST['bili_mobile']) ? sanitize_text_field(wp_unslash($_POST['bili_mobile'])) : '';
        $mobile = $typed !== '' ? $typed : (string) $order->get_billing_phone();
        // Bili refuses a number that cannot be read.
        return $mobile === '' ? null : \Bili\TypedNumber::mobile($mobile) ?? $mobile;
    }

    private function failed(WC_Order $order, \Bili\BiliException $error): array
    {
        $id = $error instanceof \Bili\ApiException ? " (request {$error->requestId})" : '';
        Bili_Settings::log("Order {$order->get_id()}: {$error->getMessage()}$id");
        $is_number = $error instanceof \Bili\ApiException && $error->status === 400 && str_starts_with($error->getMessage(), 'mobile ');
        wc_add_notice($is_number
            ? __('Enter a Tanzanian mobile number, for example 0712 345 678.', 'bili-payments')
            : __('The payment could not be started. You have not paid. Please try again in a minute.', 'bili-payments'), 'error');
        return ['result' => 'failure'];
    }
}
