<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

/** The settings of the gateway, as WooCommerce stores them. */
final class Bili_Settings
{
    public static function get(string $name): string
    {
        $settings = get_option('woocommerce_bili_settings', []);
        return is_array($settings) ? trim((string) ($settings[$name] ?? '')) : '';
    }

    public static function is_complete(): bool
    {
        return self::get('base_url') !== '' && self::get('key_id') !== '' && self::get('secret') !== '';
    }

    /** Few retries, because a customer waits for the page. The next webhook or reading repairs what is missed. */
    public static function client(): \Bili\Client
    {
        return new \Bili\Client(
            self::get('base_url'),
            self::get('key_id'),
            self::get('secret'),
            timeout: 10,
            maxRetries: 1,
            maxRetryAfter: 2,
            allowHttp: self::get('allow_http') === 'yes',
        );
    }

    public static function log(string $message): void
    {
        wc_get_logger()->warning($message, ['source' => 'bili-payments']);
    }

    public static function fields(): array
    {
        $webhook = rest_url('bili/v1/webhook');
        return [
            'enabled' => ['title' => __('Enabled', 'bili-payments'), 'type' => 'checkbox', 'label' => __('Accept mobile money', 'bili-payments'), 'default' => 'no'],
            'title' => ['title' => __('Title', 'bili-payments'), 'type' => 'text', 'default' => __('Mobile money', 'bili-payments')],
            'description' => ['title' => __('Description', 'bili-payments'), 'type' => 'textarea', 'default' => __('You get a payment request on your phone. Enter your PIN to pay.', 'bili-payments')],
            'base_url' => ['title' => __('Address of Bili', 'bili-payments'), 'type' => 'text', 'description' => __('The sandbox address for tests, then the live address.', 'bili-payments')],
            'key_id' => ['title' => __('API key', 'bili-payments'), 'type' => 'text', 'description' => __('For refunds, choose the scope "refund" when you create the key. A key that was created without it cannot refund.', 'bili-payments')],
            'secret' => ['title' => __('API secret', 'bili-payments'), 'type' => 'password'],
            'webhook_secret' => [
                'title' => __('Webhook secret', 'bili-payments'),
                'type' => 'password',
                /* translators: %s: an address */
                'description' => sprintf(__('Set this webhook address in Bili: %s. It prints the secret. While you replace a secret, give both, separated by a space.', 'bili-payments'), '<code>' . esc_html($webhook) . '</code>'),
            ],
            'waiting' => [
                'title' => __('After checkout', 'bili-payments'),
                'type' => 'select',
                'default' => 'redirect',
                'options' => [
                    'redirect' => __('Send the customer to the payment page', 'bili-payments'),
                    'page' => __('Send a payment request to the phone and wait on the order page', 'bili-payments'),
                ],
            ],
            'allow_http' => ['title' => __('Plain HTTP', 'bili-payments'), 'type' => 'checkbox', 'label' => __('Allow an address that begins with http://. Only for a private network: the secret is readable there.', 'bili-payments'), 'default' => 'no'],
        ];
    }
}
