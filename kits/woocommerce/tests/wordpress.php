<?php

declare(strict_types=1);

// Small stand-ins for the functions and classes of WordPress and WooCommerce that the plugin calls. They follow the documentation of
// their hooks. They are no proof that the plugin runs in a real shop.

define('ABSPATH', __DIR__);

final class Shop
{
    /** @var array<string, list<callable>> */
    public static array $hooks = [];
    /** @var array<string, mixed> */
    public static array $options = [];
    /** @var array<string, mixed> */
    public static array $transients = [];
    /** @var array<string, array<string, mixed>> */
    public static array $routes = [];
    /** @var array<int, WC_Order|WC_Order_Refund> */
    public static array $orders = [];
    /** @var array<string, int> when scheduled actions are due, by their hook and arguments */
    public static array $scheduled = [];
    /** @var list<array{to: string, subject: string, text: string}> */
    public static array $mails = [];
    /** @var list<string> */
    public static array $notices = [];
    /** @var list<string> */
    public static array $log = [];
    /** @var list<string> */
    public static array $features = [];
    public static string $currency = 'TZS';
    /** Whether a hook of another plugin fails. WooCommerce then logs it, and payment_complete returns false. */
    public static bool $hooksFail = false;
    /** What other processes do just before the next option is added. */
    public static ?Closure $beforeOption = null;

    public static function call(string $hook, mixed ...$args): mixed
    {
        $value = $args[0] ?? null;
        foreach (self::$hooks[$hook] ?? [] as $callback) {
            $value = $callback(...$args) ?? $value;
        }
        return $value;
    }
}

function add_action(string $hook, callable $callback): bool
{
    Shop::$hooks[$hook][] = $callback;
    return true;
}

function add_filter(string $hook, callable $callback): bool
{
    return add_action($hook, $callback);
}

function get_option(string $name, mixed $default = false): mixed
{
    return Shop::$options[$name] ?? $default;
}

function add_option(string $name, mixed $value): bool
{
    $before = Shop::$beforeOption;
    Shop::$beforeOption = null;
    if ($before) {
        $before();
    }
    if (array_key_exists($name, Shop::$options)) {
        return false;
    }
    Shop::$options[$name] = $value;
    return true;
}

function delete_option(string $name): bool
{
    unset(Shop::$options[$name]);
    return true;
}

function get_transient(string $name): mixed
{
    return Shop::$transients[$name] ?? false;
}

function set_transient(string $name, mixed $value, int $seconds): bool
{
    Shop::$transients[$name] = $value;
    return $seconds > 0;
}

function delete_transient(string $name): bool
{
    unset(Shop::$transients[$name]);
    return true;
}

function register_rest_route(string $namespace, string $route, array $options): bool
{
    Shop::$routes[$namespace . $route] = $options;
    return true;
}

function __(string $text, string $domain): string
{
    return $domain === 'bili-payments' ? $text : '';
}

function esc_attr(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_html__(string $text, string $domain): string
{
    return esc_html(__($text, $domain));
}

function esc_url(string $url): string
{
    return htmlspecialchars($url, ENT_QUOTES);
}

function wp_kses_post(string $html): string
{
    return $html;
}

function wpautop(string $text): string
{
    return "<p>$text</p>";
}

function wp_unslash(mixed $value): mixed
{
    return is_string($value) ? stripslashes($value) : $value;
}

function sanitize_text_field(string $text): string
{
    return trim(strip_tags($text));
}

function wp_json_encode(mixed $value): string|false
{
    return json_encode($value);
}

function home_url(): string
{
    return 'https://shop.example.com';
}

function rest_url(string $path): string
{
    return home_url() . "/wp-json/$path";
}

function plugins_url(string $path): string
{
    return home_url() . "/wp-content/plugins/bili-payments/$path";
}

function add_query_arg(string $name, string $value, string $url): string
{
    return "$url?$name=" . rawurlencode($value);
}

function wp_enqueue_script(string $handle): void
{
    Shop::$log[] = "script $handle";
}

function wp_register_script(string $handle): bool
{
    Shop::$log[] = "script $handle";
    return true;
}

function get_woocommerce_currency(): string
{
    return Shop::$currency;
}

function wc_add_notice(string $text, string $kind): void
{
    Shop::$notices[] = "$kind: $text";
}

function wc_get_order(mixed $id): WC_Order|WC_Order_Refund|false
{
    return Shop::$orders[$id] ?? false;
}

function as_schedule_single_action(int $time, string $hook, array $args, string $group): int
{
    Shop::$scheduled["$group $hook " . implode(',', $args)] = $time;
    return count(Shop::$scheduled);
}

function as_unschedule_action(string $hook, array $args, string $group): void
{
    unset(Shop::$scheduled["$group $hook " . implode(',', $args)]);
}

function wp_mail(string $to, string $subject, string $text): bool
{
    Shop::$mails[] = compact('to', 'subject', 'text');
    return true;
}

function wc_get_logger(): object
{
    return new class () {
        public function warning(string $message): void
        {
            Shop::$log[] = $message;
        }
    };
}

function WC(): object
{
    return new class () {
        public ?object $cart = null;
    };
}

class WC_Payment_Gateway
{
    public string $id = '';
    public string $method_title = '';
    public string $method_description = '';
    public bool $has_fields = false;
    public array $supports = [];
    public array $form_fields = [];
    public array $settings = [];
    public string $title = '';
    public string $description = '';

    public function init_settings(): void
    {
        $this->settings = (array) get_option("woocommerce_{$this->id}_settings", []);
    }

    public function get_option(string $name): mixed
    {
        return $this->settings[$name] ?? $this->form_fields[$name]['default'] ?? '';
    }

    public function is_available(): bool
    {
        return $this->get_option('enabled') === 'yes';
    }

    public function process_admin_options(): bool
    {
        return true;
    }

    public function get_return_url(WC_Order $order): string
    {
        return home_url() . "/checkout/order-received/{$order->get_id()}";
    }
}

class WP_Error
{
    public function __construct(private readonly string $code, private readonly string $message)
    {
    }

    public function get_error_message(): string
    {
        return $this->code === '' ? '' : $this->message;
    }
}

class WC_Order_Refund
{
    public int $id = 0;

    public function __construct(private readonly int $order_id, private string $reason)
    {
    }

    public function get_id(): int
    {
        return $this->id;
    }

    public function get_parent_id(): int
    {
        return $this->order_id;
    }

    public function get_reason(): string
    {
        return $this->reason;
    }

    public function set_reason(string $reason): void
    {
        $this->reason = $reason;
    }

    public function save(): int
    {
        return $this->id;
    }
}

class WC_Order
{
    /** @var array<string, mixed> */
    public array $meta = [];
    /** @var list<string> */
    public array $notes = [];
    public string $status = 'pending';
    public int $completed = 0;

    public function __construct(private readonly int $id, public string $total, public string $phone = '')
    {
        Shop::$orders[$id] = $this;
    }

    public function get_id(): int
    {
        return $this->id;
    }

    public function get_total(): string
    {
        return $this->total;
    }

    public function get_checkout_order_received_url(): string
    {
        return "https://shop.example.com/checkout/order-received/{$this->id}";
    }

    public function get_edit_order_url(): string
    {
        return "https://shop.example.com/wp-admin/admin.php?page=wc-orders&id={$this->id}";
    }

    public function get_order_key(): string
    {
        return "wc_order_{$this->id}";
    }

    public function get_billing_phone(): string
    {
        return $this->phone;
    }

    public function get_meta(string $name): mixed
    {
        return $this->meta[$name] ?? '';
    }

    public function update_meta_data(string $name, mixed $value): void
    {
        $this->meta[$name] = $value;
    }

    public function save(): int
    {
        return $this->id;
    }

    public function get_transaction_id(): string
    {
        return (string) ($this->meta['_transaction_id'] ?? '');
    }

    public function get_status(): string
    {
        return $this->status;
    }

    public function add_order_note(string $note): int
    {
        $this->notes[] = $note;
        return count($this->notes);
    }

    public function update_status(string $status, string $note = ''): bool
    {
        $this->status = $status;
        $this->notes[] = $note;
        return true;
    }

    /** @param string|list<string> $status */
    public function has_status(string|array $status): bool
    {
        return in_array($this->status, (array) $status, true);
    }

    public function is_paid(): bool
    {
        return in_array($this->status, ['processing', 'completed'], true);
    }

    public function payment_complete(string $transaction): bool
    {
        if (Shop::$hooksFail) {
            return false;
        }
        if (!in_array($this->status, ['on-hold', 'pending', 'failed', 'cancelled'], true)) {
            return true;
        }
        $this->status = 'processing';
        $this->completed++;
        $this->meta['_transaction_id'] = $transaction;
        return true;
    }
}

class WP_REST_Request
{
    /**
     * @param array<string, string> $headers
     * @param array<string, string> $params
     */
    public function __construct(private readonly string $body, private readonly array $headers, private readonly array $params = [])
    {
    }

    public function get_body(): string
    {
        return $this->body;
    }

    public function get_header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    public function get_param(string $name): mixed
    {
        return $this->params[$name] ?? null;
    }
}

class WP_REST_Response
{
    public function __construct(public readonly mixed $data, public readonly int $status, public readonly array $headers = [])
    {
    }
}
