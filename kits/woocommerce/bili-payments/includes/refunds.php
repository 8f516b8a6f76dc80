<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

use Bili\Amount;
use Bili\ApiException;
use Bili\Bill;
use Bili\BiliException;
use Bili\Refund;

/** Refunds of orders through Bili. A refund in WooCommerce is final at once, one at Bili often later: its state becomes notes of the order. */
final class Bili_Refunds
{
    private const WATCH = 'bili_watch_refunds';
    private const GROUP = 'bili-payments';
    private const REFUNDS = '_bili_refunds';
    private const PAUSE_MIN_SECONDS = 60;
    private const PAUSE_MAX_SECONDS = 6 * 3600;

    /** The refund that WooCommerce creates in this process. It has its id when the gateway is asked. */
    private static ?WC_Order_Refund $created = null;

    public static function register(): void
    {
        add_action('woocommerce_create_refund', static function (WC_Order_Refund $refund): void {
            self::$created = $refund;
        });
        add_action(self::WATCH, [self::class, 'watch']);
    }

    /**
     * Asks Bili for a refund, under the lock of the order.
     *
     * @param mixed $amount a text, as WooCommerce gives it; a float may already be rounded and is refused
     * @return true|WP_Error true if Bili has accepted the refund: WooCommerce then keeps its own
     */
    public static function request(WC_Order $order, mixed $amount, string $reason): bool|WP_Error
    {
        $bill_id = Bili_Orders::paid_bill_id($order);
        if ($bill_id === '') {
            return self::error(__('This order has no Bili bill.', 'bili-payments'));
        }
        try {
            $exact = Amount::json($amount);
        } catch (BiliException) {
            return self::error(__('Enter an amount with at most two decimals.', 'bili-payments'));
        }
        $known = self::known($order);
        /* translators: %s: the number of an order */
        $text = $reason !== '' ? $reason : sprintf(__('Refund of order %s', 'bili-payments'), $order->get_id());
        // The key does not contain WooCommerce's refund, which WooCommerce deletes if Bili's answer is lost. With the number of refunds that
        // Bili has accepted, the next try has the same key, and a refund after an accepted one has another.
        $accepted = count(array_filter(array_column($known, 'own')));
        $key = hash('sha256', implode('|', [home_url(), $order->get_id(), $order->get_order_key(), $bill_id, $accepted]));
        try {
            $refund = self::send($bill_id, $text, $exact, "woo-refund-$key", $known);
        } catch (BiliException $error) {
            Bili_Settings::log("Order {$order->get_id()}: the refund was not accepted: {$error->getMessage()}");
            return self::error(self::refusal($error));
        }
        $was_known = isset($known[$refund->id]);
        $shop_refund = self::$created?->get_parent_id() === $order->get_id() ? self::$created->get_id() : 0;
        $known[$refund->id] = ['bill' => $bill_id, 'state' => self::step($refund), 'own' => true, 'refund' => $shop_refund, 'at' => time()];
        $again = $was_known ? ' ' . __('Bili had accepted this refund before: no more money is sent.', 'bili-payments') : '';
        $order->add_order_note(self::text($refund) . $again);
        self::save($order, $known);
        self::schedule($order);
        return $refund->state === 'FAILED' ? self::error(self::text($refund)) : true;
    }

    /**
     * Adds notes about the refunds of a bill that have changed.
     *
     * @return int how much of what was reversed was refunded by the shop, in senti
     * @throws BiliException if the refunds could not be read
     */
    public static function refresh(WC_Order $order, Bill $bill): int
    {
        $known = self::known($order);
        $reversed = Amount::toSenti($bill->reversedAmount ?? '0');
        if ($reversed === 0 && self::open($known) === []) {
            return 0;
        }
        $refunded = 0;
        $changed = false;
        foreach (self::read($bill->id) as $refund) {
            $refunded += $refund->state === 'DONE' ? Amount::toSenti($refund->amount) : 0;
            $before = $known[$refund->id] ?? ['bill' => $bill->id, 'state' => null, 'own' => false, 'refund' => 0, 'at' => time()];
            $is_new = self::step($refund) !== $before['state'];
            if (!$is_new || (!$before['own'] && $refund->state !== 'DONE')) {
                continue;
            }
            $order->add_order_note($before['own'] ? self::text($refund) : self::foreign($refund));
            if ($before['own'] && $refund->state === 'FAILED') {
                self::alert($order, $refund, $before['refund']);
            }
            $known[$refund->id] = ['state' => self::step($refund)] + $before;
            $changed = true;
        }
        if ($changed) {
            self::save($order, $known);
        }
        // The bill was read first. A refund that was done after that is not among its reversals yet.
        return min($refunded, $reversed);
    }

    /** Bili reports no refund that fails, and none that leaves the status of the bill as it is. */
    public static function watch(int $order_id): void
    {
        $order = wc_get_order($order_id);
        if (!$order instanceof WC_Order) {
            return;
        }
        foreach (array_unique(array_column(self::open(self::known($order)), 'bill')) as $bill_id) {
            Bili_Rest::refresh($order, $bill_id);
        }
        $now = wc_get_order($order_id);
        self::schedule($now instanceof WC_Order ? $now : $order);
    }

    /** Each pause is as long as the oldest open refund has waited. */
    private static function schedule(WC_Order $order): void
    {
        as_unschedule_action(self::WATCH, [$order->get_id()], self::GROUP);
        $open = self::open(self::known($order));
        if ($open !== []) {
            $pause = max(self::PAUSE_MIN_SECONDS, min(self::PAUSE_MAX_SECONDS, time() - min(array_column($open, 'at'))));
            as_schedule_single_action(time() + $pause, self::WATCH, [$order->get_id()], self::GROUP);
        }
    }

    /**
     * @param array<string, array{own: bool}> $known
     * @throws BiliException
     */
    private static function send(string $bill_id, string $reason, string $amount, string $key, array $known): Refund
    {
        try {
            return Bili_Settings::client()->refund($bill_id, $reason, $amount, idempotencyKey: $key);
        } catch (ApiException $error) {
            if ($error->errorCode !== 'idempotency_key_reused') {
                throw $error;
            }
            // An answer was lost, and the reason or the amount is another now. With another reason, it is the refund that was accepted.
            foreach (self::read($bill_id) as $refund) {
                if (!($known[$refund->id]['own'] ?? false) && Amount::toSenti($refund->amount) === Amount::toSenti($amount)) {
                    return $refund;
                }
            }
            throw $error;
        }
    }

    /** @return array<int, Refund> the refunds of the shop; none if the server is older than its refunds */
    private static function read(string $bill_id): array
    {
        try {
            $refunds = Bili_Settings::client()->refunds($bill_id);
            // A payment that the operator returned, with no bill, is a reversal for the shop.
            return array_filter($refunds, static fn (Refund $one): bool => $one->bill === $bill_id);
        } catch (ApiException $error) {
            if ($error->status === 404) {
                return [];
            }
            throw $error;
        }
    }

    private static function refusal(BiliException $error): string
    {
        if (!$error instanceof ApiException || $error->isRetryable()) {
            return __('Bili gave no answer, so it is not known whether it accepted the refund. Refund the same amount again: the money is not sent twice.', 'bili-payments');
        }
        return match ($error->errorCode) {
            'key_scope_missing' => __('The API key may not refund. Create a new key with the scope "refund" in the dashboard of Bili, and enter it in the settings of this payment method.', 'bili-payments'),
            'refund_payment_unclear' => __('This order was paid with several payments. Refund it in the dashboard of Bili, where you choose the payment. Then record it here with "Refund manually".', 'bili-payments'),
            'refund_open' => __('Another refund of this payment has not ended yet. Wait for its result: see the notes of the order.', 'bili-payments'),
            'refund_more_than_left', 'nothing_to_refund' => __('This is more than what is left of the payment. See the refunds of the bill in the dashboard of Bili.', 'bili-payments'),
            'idempotency_key_reused' => __('Bili accepted an earlier refund of this order with another amount, and its answer was lost. See the amount in the dashboard of Bili and refund it here first: the money is not sent twice.', 'bili-payments'),
            /* translators: %s: an error of Bili, in English */
            default => sprintf(__('Bili refused the refund: %s', 'bili-payments'), $error->getMessage()),
        };
    }

    private static function text(Refund $refund): string
    {
        $text = match ($refund->state) {
            /* translators: %1$s: an amount */
            'ASKED' => __('Refund of TZS %1$s: it waits for the approval of a second person in the dashboard of Bili.', 'bili-payments'),
            /* translators: %1$s: an amount */
            'APPROVED' => __('Refund of TZS %1$s: a person will return the money by hand. It is on the work list in the dashboard of Bili.', 'bili-payments'),
            /* translators: %1$s: an amount */
            'QUEUED', 'SENDING' => __('Refund of TZS %1$s: the money is on its way to the customer.', 'bili-payments'),
            /* translators: %1$s: an amount */
            'UNKNOWN' => __('Refund of TZS %1$s: the outcome is not known yet. Bili keeps asking the provider. Do not return the money in another way.', 'bili-payments'),
            /* translators: 1: an amount, 2: a receipt number, or "-" */
            'DONE' => __('Refund of TZS %1$s: done, the customer has the money. Receipt number: %2$s.', 'bili-payments'),
            /* translators: 1: an amount, 2: a reason of Bili, in English */
            'FAILED' => __('Refund of TZS %1$s: FAILED (%2$s). The customer has not got the money. Delete this refund in WooCommerce and refund again, or return the money in another way.', 'bili-payments'),
            /* translators: 1: an amount, 2: a state of Bili, in English */
            default => __('Refund of TZS %1$s: its state is %2$s. See the dashboard of Bili.', 'bili-payments'),
        };
        $detail = match ($refund->state) {
            'DONE' => $refund->receipt ?? '-',
            'FAILED' => $refund->failure ?? '-',
            default => $refund->state,
        };
        return sprintf($text, $refund->amount, $detail);
    }

    private static function foreign(Refund $refund): string
    {
        /* translators: 1: an amount, 2: the id of a bill */
        return sprintf(__('TZS %1$s of Bili bill %2$s were refunded, and WooCommerce has no refund for it. If you refunded it here and Bili gave no answer, refund the same amount again: the money is not sent twice. Otherwise record it with "Refund manually".', 'bili-payments'), $refund->amount, $refund->bill);
    }

    /** Tells the shop, because WooCommerce shows the refund as done. */
    private static function alert(WC_Order $order, Refund $refund, int $shop_refund_id): void
    {
        $shop_refund = wc_get_order($shop_refund_id);
        if ($shop_refund instanceof WC_Order_Refund) {
            /* translators: %s: the reason of a refund */
            $shop_refund->set_reason(sprintf(__('FAILED, the customer has not got the money. %s', 'bili-payments'), $shop_refund->get_reason()));
            $shop_refund->save();
        }
        $settings = get_option('woocommerce_new_order_settings', []);
        $recipient = is_array($settings) && !empty($settings['recipient']) ? $settings['recipient'] : get_option('admin_email');
        /* translators: %s: the number of an order */
        wp_mail($recipient, sprintf(__('The refund of order %s failed', 'bili-payments'), $order->get_id()), self::text($refund) . "\n\n" . $order->get_edit_order_url());
    }

    /** Both states mean the same to the shop. */
    private static function step(Refund $refund): string
    {
        return $refund->state === 'SENDING' ? 'QUEUED' : $refund->state;
    }

    /** @return array<string, array{bill: string, state: string, own: bool, refund: int, at: int}> by their ids; `own` if asked for here */
    private static function known(WC_Order $order): array
    {
        return (array) json_decode((string) $order->get_meta(self::REFUNDS), true);
    }

    private static function open(array $known): array
    {
        return array_filter($known, static fn (array $one): bool => !in_array($one['state'], ['DONE', 'FAILED'], true));
    }

    private static function save(WC_Order $order, array $known): void
    {
        $order->update_meta_data(self::REFUNDS, (string) wp_json_encode($known));
        $order->save();
    }

    private static function error(string $message): WP_Error
    {
        return new WP_Error('bili_refund', $message);
    }
}
