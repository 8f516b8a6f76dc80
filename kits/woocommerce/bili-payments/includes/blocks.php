<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The payment method of the block checkout. */
final class Bili_Blocks extends AbstractPaymentMethodType
{
    protected $name = 'bili';

    public function initialize(): void
    {
        $this->settings = get_option('woocommerce_bili_settings', []);
    }

    public function is_active(): bool
    {
        return $this->get_setting('enabled') === 'yes' && get_woocommerce_currency() === 'TZS' && Bili_Settings::is_complete();
    }

    public function get_payment_method_script_handles(): array
    {
        wp_register_script('bili-blocks', plugins_url('assets/blocks.js', __DIR__), ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'], '0.1.0', true);
        return ['bili-blocks'];
    }

    public function get_payment_method_data(): array
    {
        return [
            'title' => $this->get_setting('title'),
            'description' => $this->get_setting('description'),
            'asksForNumber' => $this->get_setting('waiting') === 'page',
            'numberLabel' => __('Mobile-money number', 'bili-payments'),
            'supports' => ['products'],
        ];
    }
}
