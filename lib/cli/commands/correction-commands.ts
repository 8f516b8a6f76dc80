import type { Command } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator-access';
import { type JsonFlag, reasonOption, shillingsOrNone } from '@/lib/cli/terminal/options';
import { print } from '@/lib/cli/terminal/output';
import { NO_PAYMENT, paymentNamed, UNDER_WAY } from '@/lib/cli/views/payment-view';
import type { Senti } from '@/lib/core/money';
import { formatMoney } from '@/lib/i18n/format';
import { type CorrectionRefusal, correctPayment } from '@/lib/payments/ledger/correct-payment';
import { type MoveRefusal, movePayment } from '@/lib/payments/ledger/move-payment';

interface Flags extends JsonFlag {
  readonly reason: string;
  readonly review?: string;
}

const NO_REVIEW = 'There is no open review with that id for this payment. "bili review list" shows all reviews.';

const CORRECTION_REFUSALS: Readonly<Record<CorrectionRefusal, string>> = {
  not_found: NO_PAYMENT,
  nothing_to_correct: 'The ledger already has that amount.',
  reversal_open: UNDER_WAY,
  more_than_left: 'More than that was reversed. Correct the reversal first: "bili payment show" lists it.',
  review_not_found: NO_REVIEW,
};

const MOVE_REFUSALS: Readonly<Record<MoveRefusal, string>> = {
  payment_not_found: NO_PAYMENT,
  bill_not_found: 'There is no bill with that id.',
  other_environment: 'The payment and the bill are in different environments.',
  other_merchant: 'The payment belongs to another merchant than the bill.',
  reversal_open: UNDER_WAY,
  marked_for_refund: 'The unmatched part of this payment is marked as refunded outside Bili.',
  nothing_to_move: 'The whole remaining amount of this payment is already on that bill.',
  review_not_found: NO_REVIEW,
};

export function addCorrectionCommands(payments: Command): void {
  payments
    .command('correct')
    .description('correct the amount of a payment or reversal; its bills are updated and webhooks are sent')
    .argument('<entry>', "the payment's id or receipt, or the reversal's id")
    .requiredOption('--to <shillings>', 'the correct amount; 0 if there was no payment', shillingsOrNone)
    .addOption(reasonOption())
    .option('--review <review>', 'the id of the review that this resolves')
    .action(async (name: string, { to, reason, review, json }: Flags & { to: Senti }) => {
      const done = await withRuntime(async (runtime) =>
        correctPayment(runtime, { entryId: await paymentNamed(runtime, name), to, reason, actor: runtime.actor, reviewId: review ?? null }),
      );
      const { from, bills, unmatched } = valueOrRefusal(done, CORRECTION_REFUSALS);
      print(json, { entry: name, from, to, bills, unmatched }, [
        `Corrected from ${formatMoney(from)} to ${formatMoney(to)}.`,
        ...bills.map(({ billId, amount }) =>
          amount < 0n ? `${formatMoney(-amount)} less on bill ${billId}.` : `${formatMoney(amount)} more on bill ${billId}.`,
        ),
        ...(unmatched > 0n
          ? [`${formatMoney(unmatched)} of the payment is unmatched: bili payment allocate ${name} --bill BILL --reason TEXT`]
          : []),
      ]);
    });
  payments
    .command('move')
    .description('move the remaining amount of a payment to another bill')
    .argument('<payment>', "the payment's id, or the provider's receipt")
    .requiredOption('--bill <bill>', 'the id of the right bill')
    .addOption(reasonOption())
    .option('--review <review>', 'the id of the review that this resolves')
    .action(async (name: string, { bill, reason, review, json }: Flags & { bill: string }) => {
      const moved = await withRuntime(async (runtime) =>
        movePayment(runtime, {
          paymentId: await paymentNamed(runtime, name),
          billId: bill,
          reason,
          actor: runtime.actor,
          reviewId: review ?? null,
        }),
      );
      const amount = valueOrRefusal(moved, MOVE_REFUSALS);
      print(json, { payment: name, bill, amount }, [`${formatMoney(amount)} is now on bill ${bill}.`]);
    });
}
