<?php

declare(strict_types=1);

/**
 * Plugin Name: Bili payments for WooCommerce
 * Description: Mobile-money payments in Tanzania through your Bili server: M-Pesa, Mixx by Yas, Airtel Money, HaloPesa and T-Pesa.
 * Version: 0.1.0
 * Requires at least: 6.4
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * License: Apache-2.0
 * Text Domain: bili-payments
 */

defined('ABSPATH') || exit;

require_once __DIR__ . '/sdk/autoload.php';

add_action('before_woocommerce_init', static function (): void {
    if (class_exists(\Automattic\WooCommerce\Utilities\FeaturesUtil::class)) {
        foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
            \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility($feature, __FILE__, true);
        }
    }
});

add_action('plugins_loaded', static function (): void {
    if (!class_exists('WC_Payment_Gateway')) {
        return;
    }
    foreach (['settings', 'orders', 'refunds', 'gateway', 'rest', 'order-page'] as $file) {
        require_once __DIR__ . "/includes/$file.php";
    }
    add_filter('woocommerce_payment_gateways', static fn (array $gateways): array => [...$gateways, Bili_Gateway::class]);
    add_action('rest_api_init', [Bili_Rest::class, 'register']);
    Bili_Order_Page::register();
    Bili_Refunds::register();
});

add_action('woocommerce_blocks_payment_method_type_registration', static function (object $registry): void {
    require_once __DIR__ . '/includes/blocks.php';
    $registry->register(new Bili_Blocks());
});
