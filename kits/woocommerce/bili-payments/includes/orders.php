<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

use Bili\Amount;
use Bili\Bill;

/** Connects orders with bills. An order has a bill for each total that it had. */
final class Bili_Orders
{
    private const BILL = '_bili_bill_id';
    private const PAY_URL = '_bili_pay_url';
    private const STATE = '_bili_state';
    private const LOCK_SECONDS = 60;

    public static function reference(WC_Order $order): string
    {
        return 'WC-' . $order->get_id();
    }

    /** @return WC_Order|null the order of a bill's reference, if it was paid with this gateway */
    public static function find(string $reference): ?WC_Order
    {
        if (preg_match('/\AWC-([0-9]{1,18})\z/', $reference, $found) !== 1) {
            return null;
        }
        $order = wc_get_order((int) $found[1]);
        return $order instanceof WC_Order ? $order : null;
    }

    public static function total(WC_Order $order): string
    {
        return Amount::text((float) $order->get_total());
    }

    public static function bill_id(WC_Order $order): string
    {
        return (string) $order->get_meta(self::BILL);
    }

    public static function pay_url(WC_Order $order): string
    {
        return (string) $order->get_meta(self::PAY_URL);
    }

    /** Returns the bill that paid an order, or its newest one. */
    public static function paid_bill_id(WC_Order $order): string
    {
        $transaction = (string) $order->get_transaction_id();
        return self::owns($order, $transaction) ? $transaction : self::bill_id($order);
    }

    /** Says whether nothing is left to pay. */
    public static function is_settled(WC_Order $order): bool
    {
        return $order->is_paid() || $order->has_status('refunded');
    }

    public static function owns(WC_Order $order, string $bill_id): bool
    {
        return in_array($bill_id, [self::bill_id($order), ...(array) json_decode((string) $order->get_meta('_bili_old_bills'), true)], true);
    }

    /**
     * Returns the bill of an order, and creates it if there is none for its total.
     *
     * @throws \Bili\BiliException if Bili refuses it or cannot be reached
     */
    public static function bill(WC_Order $order, ?string $mobile): Bill
    {
        $client = Bili_Settings::client();
        $known = self::bill_id($order);
        if ($known !== '') {
            $bill = $client->getBill($known);
            if ($bill->closedAt === null && $bill->amount === self::total($order)) {
                return $bill;
            }
        }
        // The same order, total and number give the same bill, even if the process ends before the bill is stored.
        $key = hash('sha256', implode('|', [home_url(), $order->get_id(), $order->get_order_key(), self::total($order), (string) $mobile, $known]));
        $bill = $client->createBill(self::total($order), self::reference($order), $mobile, idempotencyKey: "woo-$key");
        if ($known !== '' && $known !== $bill->id) {
            $old = (array) json_decode((string) $order->get_meta('_bili_old_bills'), true);
            $order->update_meta_data('_bili_old_bills', (string) wp_json_encode([...$old, $known]));
            /* translators: 1, 2: ids of bills */
            $order->add_order_note(sprintf(__('Bili bill %1$s replaces %2$s. Close the old bill in the dashboard of Bili.', 'bili-payments'), $bill->id, $known));
        }
        $order->update_meta_data(self::BILL, $bill->id);
        $order->update_meta_data(self::PAY_URL, (string) $bill->webPayUrl);
        $order->save();
        return $bill;
    }

    /**
     * Reads a bill and applies it to its order. The same bill again changes nothing. The bill is read under the lock: one that was read
     * before could be older than what another process has applied meanwhile.
     *
     * @return bool false if it must be applied again: another process is applying it now, or the order could not be completed
     * @throws \Bili\BiliException if the bill could not be read
     */
    public static function apply(int $order_id, string $bill_id): bool
    {
        return self::locked($order_id, static function () use ($order_id, $bill_id): bool {
            $bill = Bili_Settings::client()->getBill($bill_id);
            $order = wc_get_order($order_id);
            if (!$order instanceof WC_Order) {
                return true;
            }
            return self::apply_locked($order, self::without_refunds($bill, Bili_Refunds::refresh($order, $bill)));
        }) ?? false;
    }

    /**
     * Does something with an order while no other process does.
     *
     * @template Result
     * @param callable(): Result $do
     * @return Result|null null if another process has the lock
     */
    public static function locked(int $order_id, callable $do): mixed
    {
        $lock = "bili_lock_$order_id";
        if (!self::lock($lock)) {
            return null;
        }
        try {
            return $do();
        } finally {
            delete_option($lock);
        }
    }

    /**
     * Returns a bill as it was before its refunds: an order was paid although its money was returned later.
     *
     * @param int $refunded in senti
     */
    private static function without_refunds(Bill $bill, int $refunded): Bill
    {
        if ($refunded === 0) {
            return $bill;
        }
        $paid = Amount::toSenti((string) $bill->paidAmount) + $refunded;
        $remaining = max(0, Amount::toSenti($bill->amount) - $paid);
        return Bill::read([
            'status' => $remaining === 0 ? 'FULLY_PAID' : 'PARTIALLY_PAID',
            'paidAmount' => $paid / 100,
            'remainingAmount' => $remaining / 100,
            'reversedAmount' => (Amount::toSenti((string) $bill->reversedAmount) - $refunded) / 100,
        ] + $bill->raw);
    }

    /** @return bool whether it is done */
    private static function apply_locked(WC_Order $order, Bill $bill): bool
    {
        $state = implode('|', [$bill->id, $bill->status, $bill->paidAmount, $bill->reversedAmount]);
        if ($order->get_meta(self::STATE) === $state) {
            return true;
        }
        $had_money = $bill->paidAt !== null || Amount::toSenti($bill->reversedAmount ?? '0') > 0;
        if ($bill->status === 'NOT_PAID' && !$had_money) {
            return true;
        }
        $is_paid_otherwise = self::is_paid_otherwise($order, $bill);
        if ($is_paid_otherwise && $bill->status !== 'NOT_PAID') {
            // Saved together with the status: the same webhook again must not complete the order that waits.
            $order->update_meta_data(self::STATE, $state);
            /* translators: 1: an amount, 2: the id of a bill, 3: the status of an order */
            self::hold($order, sprintf(__('TZS %1$s were paid with Bili bill %2$s as well, but the order was not waiting for a payment: its status was "%3$s". Refund the payment, or complete the order.', 'bili-payments'), $bill->paidAmount, $bill->id, $order->get_status()));
        } elseif ($is_paid_otherwise) {
            /* translators: 1: an amount, 2: the id of a bill */
            $order->add_order_note(sprintf(__('TZS %1$s of Bili bill %2$s were reversed. The order was not paid with this bill.', 'bili-payments'), $bill->reversedAmount, $bill->id));
        } elseif ($bill->status === 'FULLY_PAID') {
            if (!self::fully_paid($order, $bill)) {
                return false;
            }
        } elseif ($had_money) {
            /* translators: 1: an amount, 2: the id of a bill */
            self::hold($order, sprintf(__('TZS %1$s of Bili bill %2$s were reversed. Stop the shipment or contact the customer.', 'bili-payments'), $bill->reversedAmount, $bill->id));
        } else {
            /* translators: 1, 2: amounts */
            self::hold($order, sprintf(__('TZS %1$s are paid, TZS %2$s remain. The customer can pay the rest on the payment page.', 'bili-payments'), $bill->paidAmount, $bill->remainingAmount));
        }
        // Saved last: if this process ends before, the next webhook applies the bill again.
        $order->update_meta_data(self::STATE, $state);
        $order->save();
        return true;
    }

    /**
     * Says whether an order does not wait for the payment of a bill: it was paid in another way, was refunded or deleted, or its checkout was
     * not finished. WooCommerce's payment_complete would then do nothing, and the customer would have paid twice without a word.
     */
    private static function is_paid_otherwise(WC_Order $order, Bill $bill): bool
    {
        $transaction = (string) $order->get_transaction_id();
        if ($transaction === $bill->id) {
            return false;
        }
        // Other gateways also store the transactions of failed payments, but then the order waits for a payment.
        return $order->has_status('on-hold') ? $transaction !== '' : !$order->has_status(['pending', 'failed', 'cancelled']);
    }

    /** @return bool false if the order could not be completed, for example because a hook of another plugin failed */
    private static function fully_paid(WC_Order $order, Bill $bill): bool
    {
        $is_current = $bill->id === self::bill_id($order) && $bill->amount === self::total($order);
        if (!$is_current || $bill->reference !== self::reference($order)) {
            /* translators: 1: an amount, 2: the id of a bill, 3: an amount */
            self::hold($order, sprintf(__('TZS %1$s were paid with Bili bill %2$s, but the total of the order is TZS %3$s. Check the order.', 'bili-payments'), $bill->paidAmount, $bill->id, self::total($order)));
            return true;
        }
        if (!$order->is_paid() && !$order->payment_complete($bill->id)) {
            return false;
        }
        // Mobile money moves whole shillings, so the amount may be rounded up.
        if (Amount::toSenti((string) $bill->paidAmount) - Amount::toSenti($bill->amount) >= 100) {
            /* translators: 1, 2: amounts */
            $order->add_order_note(sprintf(__('The customer paid TZS %1$s for TZS %2$s. Refund the difference.', 'bili-payments'), $bill->paidAmount, $bill->amount));
        }
        return true;
    }

    private static function hold(WC_Order $order, string $note): void
    {
        if ($order->has_status('on-hold')) {
            $order->add_order_note($note);
        } else {
            $order->update_status('on-hold', $note);
        }
    }

    /** Takes a lock that all processes share: the database accepts an option's name once. */
    private static function lock(string $name): bool
    {
        if (add_option($name, time(), '', false)) {
            return true;
        }
        if (time() - (int) get_option($name) < self::LOCK_SECONDS) {
            return false;
        }
        delete_option($name);
        return add_option($name, time(), '', false);
    }
}
