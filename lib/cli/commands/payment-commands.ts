import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator-access';
import { type JsonFlag, reasonOption, shillings, withProviders } from '@/lib/cli/terminal/options';
import { print, printList, progress, UserError } from '@/lib/cli/terminal/output';
import { describeBalance, NO_PAYMENT, paymentNamed, UNDER_WAY } from '@/lib/cli/views/payment-view';
import type { Senti } from '@/lib/core/money';
import { formatMoney } from '@/lib/i18n/format';
import { type AllocationRefusal, allocatePayment } from '@/lib/payments/ledger/allocate-payment';
import { listUnmatched } from '@/lib/payments/ledger/listing-store';
import { type MarkRefusal, markRefund } from '@/lib/payments/ledger/mark-refund';
import { showPayments } from '@/lib/payments/ledger/show-payments';
import { type ReversalRefusal, requestReversal } from '@/lib/payments/reversals/request-reversal';
import { listRequests } from '@/lib/payments/reversals/requests/store';
import { type SettleReversalRefusal, settleReversal } from '@/lib/payments/reversals/settle-reversal';
import { addCorrectionCommands } from './correction-commands';

type ReasonFlag = JsonFlag & { readonly reason: string };

const LISTED_REVERSALS = 200;
const LISTED_UNMATCHED = 1_000;

const ALLOCATION_REFUSALS: Readonly<Record<AllocationRefusal, string>> = {
  payment_not_found: NO_PAYMENT,
  bill_not_found: 'There is no bill with that id.',
  other_environment: 'The payment and the bill are in different environments.',
  other_merchant: 'The payment belongs to another merchant than the bill.',
  reversal_open: UNDER_WAY,
  marked_for_refund: 'The unmatched part of this payment is marked as refunded outside Bili.',
  more_than_unmatched: 'The unmatched part of this payment is smaller. "bili payment show" shows it.',
};

const MARK_REFUSALS: Readonly<Record<MarkRefusal, string>> = {
  payment_not_found: NO_PAYMENT,
  nothing_unmatched: 'No part of this payment is unmatched.',
  already_marked: 'It is already marked.',
  more_than_unmatched: ALLOCATION_REFUSALS.more_than_unmatched,
  reversal_open: UNDER_WAY,
};

const REVERSAL_REFUSALS: Readonly<Record<ReversalRefusal, string>> = {
  not_found: NO_PAYMENT,
  not_supported: 'This provider cannot reverse payments. Refund the customer outside Bili.',
  only_whole: 'This provider can only reverse whole payments. Leave out --amount.',
  not_whole_shillings: 'The amount must be in whole shillings.',
  more_than_left: 'That is more than the remaining amount of this payment.',
  already_open: UNDER_WAY,
};

const SETTLE_REFUSALS: Readonly<Record<SettleReversalRefusal, string>> = {
  not_found: 'There is no such reversal. "bili payment reversals" lists all.',
  already_settled: 'This reversal is already settled.',
  more_than_left: 'That is more than the remaining amount of the payment.',
};

/** Adds `bili payment …`, for manual entries in the ledger. Existing entries are never changed. */
export function addPaymentCommands(payments: Command): void {
  payments
    .command('unmatched')
    .description('list the payments that belong to no bill, oldest first')
    .action(async ({ json }: JsonFlag) => {
      const oldest = await withRuntime((runtime) => listUnmatched(runtime.db, LISTED_UNMATCHED + 1));
      const found = oldest.slice(0, LISTED_UNMATCHED);
      const lines = found.map(
        ({ id, environment, account, merchant, transactionId, amount, unmatched, recordedAt }) =>
          `${id}  ${environment}  ${account}  ${merchant ?? 'operator'}  ${transactionId}  ${formatMoney(unmatched)} of ${formatMoney(amount)}  ${recordedAt.toISOString()}`,
      );
      printList(json, found, lines, 'Every payment belongs to a bill.');
      if (oldest.length > found.length) progress(`Only the oldest ${LISTED_UNMATCHED} are listed.`);
    });
  payments
    .command('show')
    .description('show how a payment is allocated, or all payments of a bill')
    .argument('<name>', "the payment's id, the provider's receipt, or a bill's id")
    .action(async (text: string, { json }: JsonFlag) => {
      const found = await withRuntime((runtime) => showPayments(runtime, text));
      if (found.length === 0) throw new UserError(`No payment has the id or receipt ${text}, and no bill with that id has a payment.`);
      print(json, found, found.flatMap(describeBalance));
    });
  payments
    .command('allocate')
    .description('allocate an unmatched payment to a bill')
    .argument('<payment>', "the payment's id, or the provider's receipt")
    .requiredOption('--bill <bill>', "the bill's id")
    .option('--amount <shillings>', 'the amount; default: the whole unmatched part', shillings)
    .addOption(reasonOption())
    .action(async (name: string, { bill, amount, reason, json }: ReasonFlag & { bill: string; amount?: Senti }) => {
      const done = await withRuntime(async (runtime) =>
        allocatePayment(runtime, {
          paymentId: await paymentNamed(runtime, name),
          billId: bill,
          amount: amount ?? null,
          reason,
          actor: runtime.actor,
        }),
      );
      const allocated = valueOrRefusal(done, ALLOCATION_REFUSALS);
      print(json, { payment: name, bill, amount: allocated }, [`${formatMoney(allocated)} is on bill ${bill}.`]);
    });
  addCorrectionCommands(payments);
  payments
    .command('refund-outside')
    .description('record that an unmatched part of a payment is refunded outside Bili')
    .argument('<payment>', "the payment's id, or the provider's receipt")
    .option('--amount <shillings>', 'the amount; default: the whole unmatched part', shillings)
    .addOption(reasonOption())
    .action(async (name: string, { amount, reason, json }: ReasonFlag & { amount?: Senti }) => {
      const done = await withRuntime(async (runtime) => {
        const paymentId = await paymentNamed(runtime, name);
        return markRefund(runtime, { paymentId, amount: amount ?? null, reason, actor: runtime.actor });
      });
      const marked = valueOrRefusal(done, MARK_REFUSALS);
      print(json, { payment: name, amount: marked }, [`${formatMoney(marked)} is marked as refunded outside Bili.`]);
    });
  payments
    .command('reverse')
    .description('ask the provider to reverse a payment; Bili books the reversal when the provider confirms it')
    .argument('<payment>', "the payment's id, or the provider's receipt")
    .option('--amount <shillings>', 'the amount, if the provider can reverse a part (default: the whole remaining amount)', shillings)
    .addOption(reasonOption())
    .action(async (name: string, { amount, reason, json }: ReasonFlag & { amount?: Senti }) => {
      const asked = await withRuntime(async (runtime) =>
        requestReversal(withProviders(runtime), {
          paymentId: await paymentNamed(runtime, name),
          amount: amount ?? null,
          reason,
          actor: runtime.actor,
        }),
      );
      const reversal = valueOrRefusal(asked, REVERSAL_REFUSALS);
      print(json, { reversal, payment: name }, [`Reversal ${reversal} is requested. "bili payment reversals" shows its state.`]);
    });
  payments
    .command('reversals')
    .description('list the newest reversal requests')
    .action(async ({ json }: JsonFlag) => {
      const found = await withRuntime((runtime) => listRequests(runtime.db, LISTED_REVERSALS));
      const lines = found.map(
        ({ id, receipt, amount, state, failureReason, createdAt, reason }) =>
          `${id}  ${receipt}  ${formatMoney(amount)}  ${state}${failureReason ? ` (${failureReason})` : ''}  ${createdAt.toISOString()}  ${reason}`,
      );
      printList(json, found, lines, 'No reversal was requested yet.');
    });
  payments
    .command('settle-reversal')
    .description('settle a reversal with the answer that the provider gave you')
    .argument('<reversal>', "the reversal's id")
    .addOption(new Option('--reversed <receipt>', "the provider's receipt of the reversal").conflicts('failed'))
    .addOption(new Option('--failed', 'no money was reversed, and none will be'))
    .addOption(reasonOption())
    .action(async (id: string, { reversed, failed, reason, json }: ReasonFlag & { reversed?: string; failed?: true }) => {
      if (reversed === undefined && !failed) payments.error('Give the outcome: --reversed <receipt> or --failed.');
      const outcome = reversed === undefined ? ({ kind: 'failed' } as const) : ({ kind: 'reversed', transactionId: reversed } as const);
      const settled = await withRuntime((runtime) => settleReversal(runtime, { id, outcome, reason, actor: runtime.actor }));
      valueOrRefusal(settled, SETTLE_REFUSALS);
      print(json, { id, outcome: outcome.kind }, [`${id} is settled: ${outcome.kind}.`]);
    });
}
