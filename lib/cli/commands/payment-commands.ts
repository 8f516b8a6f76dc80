import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator';
import { type JsonFlag, reasonOption, shillings, shillingsOrNone, withProviders } from '@/lib/cli/terminal/options';
import { print, printList, progress, UserError } from '@/lib/cli/terminal/output';
import { type AllocationRefusal, allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { type Balance, showPayments } from '@/lib/gateway/ledger/balance-store';
import { type CorrectionRefusal, correctPayment, type MoveRefusal, movePayment } from '@/lib/gateway/ledger/correct-payment';
import { listUnmatched } from '@/lib/gateway/ledger/listing-store';
import { type RefundRefusal, type ReversalRefusal, refundOutside, requestReversal } from '@/lib/gateway/refunds/ask-refund';
import { type SettleRefundRefusal, settleRefund } from '@/lib/gateway/refunds/decide-refund';
import { listAllRefunds } from '@/lib/gateway/refunds/list-refunds';
import { isUuid } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { addRecordCommand } from './record-commands';

type ReasonFlag = JsonFlag & { readonly reason: string };

const LISTED_REVERSALS = 200;
const LISTED_UNMATCHED = 1_000;

const NO_PAYMENT = 'There is no such payment. "bili payment show" finds payments by receipt or bill.';
const UNDER_WAY = 'A refund of this payment is in progress. "bili payment reversals" shows it.';

const ALLOCATION_REFUSALS: Readonly<Record<AllocationRefusal, string>> = {
  payment_not_found: NO_PAYMENT,
  bill_not_found: 'There is no bill with that id.',
  other_environment: 'The payment and the bill are in different environments.',
  other_merchant: 'The payment belongs to another merchant than the bill.',
  refund_open: UNDER_WAY,
  refunded: 'The unmatched part of this payment has gone back to the customer.',
  more_than_unmatched: 'The unmatched part of this payment is smaller. "bili payment show" shows it.',
};

const OUTSIDE_REFUSALS: Readonly<Record<RefundRefusal, string>> = {
  payment_not_found: NO_PAYMENT,
  nothing_to_refund: 'No part of this payment is unmatched.',
  refund_more_than_left: ALLOCATION_REFUSALS.more_than_unmatched,
  refund_open: UNDER_WAY,
};

const REVERSAL_REFUSALS: Readonly<Record<ReversalRefusal | RefundRefusal, string>> = {
  payment_not_found: NO_PAYMENT,
  not_supported: 'This provider cannot reverse payments. Refund the customer outside Bili.',
  only_whole: 'This provider can only reverse whole payments. Leave out --amount.',
  not_whole_shillings: 'The amount must be in whole shillings.',
  nothing_to_refund: 'Nothing of this payment is left.',
  refund_more_than_left: 'That is more than the remaining amount of this payment.',
  refund_open: UNDER_WAY,
};

const SETTLE_REFUSALS: Readonly<Record<SettleRefundRefusal, string>> = {
  not_found: 'There is no such refund. "bili payment reversals" lists all.',
  already_settled: 'This refund is already settled.',
  not_sent: 'This refund was not sent to the provider.',
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
  addRecordCommand(payments);
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
        return refundOutside(withProviders(runtime), { paymentId, amount: amount ?? null, reason, actor: runtime.actor });
      });
      const refund = valueOrRefusal(done, OUTSIDE_REFUSALS);
      print(json, { payment: name, refund }, [`Refund ${refund} is recorded. "bili payment show ${name}" shows it.`]);
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
    .description('list the newest refunds: reversals, payouts and money returned by hand')
    .action(async ({ json }: JsonFlag) => {
      const found = await withRuntime((runtime) => listAllRefunds(runtime.db, LISTED_REVERSALS));
      const lines = found.map(
        ({ id, receiptOfPayment, amount, way, state, failureReason, createdAt, reason }) =>
          `${id}  ${receiptOfPayment}  ${formatMoney(amount)}  ${way}  ${state}${failureReason ? ` (${failureReason})` : ''}  ${createdAt.toISOString()}  ${reason}`,
      );
      printList(json, found, lines, 'No refund was requested yet.');
    });
  payments
    .command('settle-reversal')
    .description('settle a reversal or payout with the answer that the provider gave you')
    .argument('<refund>', "the refund's id")
    .addOption(new Option('--reversed <receipt>', "the provider's receipt of the reversal or payout").conflicts('failed'))
    .addOption(new Option('--failed', 'no money went back, and none will'))
    .addOption(reasonOption())
    .action(async (id: string, { reversed, failed, reason, json }: ReasonFlag & { reversed?: string; failed?: true }) => {
      if (reversed === undefined && !failed) payments.error('Give the outcome: --reversed <receipt> or --failed.');
      const outcome = reversed === undefined ? ({ kind: 'failed' } as const) : ({ kind: 'refunded', transactionId: reversed } as const);
      const settled = await withRuntime((runtime) => settleRefund(runtime, { id, outcome, reason, actor: runtime.actor }));
      valueOrRefusal(settled, SETTLE_REFUSALS);
      print(json, { id, outcome: outcome.kind }, [`${id} is settled: ${outcome.kind}.`]);
    });
}

interface Flags extends JsonFlag {
  readonly reason: string;
  readonly review?: string;
}

const NO_REVIEW = 'There is no open review with that id for this payment. "bili review list" shows all reviews.';

const CORRECTION_REFUSALS: Readonly<Record<CorrectionRefusal, string>> = {
  not_found: NO_PAYMENT,
  nothing_to_correct: 'The ledger already has that amount.',
  refund_open: UNDER_WAY,
  more_than_left: 'More than that was reversed or refunded. Correct the reversal first: "bili payment show" lists it.',
  review_not_found: NO_REVIEW,
};

const MOVE_REFUSALS: Readonly<Record<MoveRefusal, string>> = {
  payment_not_found: NO_PAYMENT,
  bill_not_found: 'There is no bill with that id.',
  other_environment: 'The payment and the bill are in different environments.',
  other_merchant: 'The payment belongs to another merchant than the bill.',
  refund_open: UNDER_WAY,
  refunded: 'The unmatched part of this payment has gone back to the customer.',
  nothing_to_move: 'The whole remaining amount of this payment is already on that bill.',
  review_not_found: NO_REVIEW,
};

function addCorrectionCommands(payments: Command): void {
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

/** Describes how a payment is allocated. The ids are those that "bili payment correct" takes. */
function describeBalance({
  payment,
  received,
  reversals,
  refunds,
  corrections,
  allocated,
  unmatched,
  refunded,
  overRefunded,
  fee,
  happenedAt,
}: Balance): string[] {
  const corrected = received === payment.amount ? '' : ` (corrected to ${formatMoney(received)})`;
  return [
    `${payment.id}  ${payment.environment}  ${payment.transactionId}  ${formatMoney(payment.amount)}${corrected}  ${payment.recordedAt.toISOString()}`,
    ...allocated.map(({ billId, amount }) => `  ${formatMoney(amount)} on bill ${billId}`),
    ...reversals.map(
      ({ id, transactionId, laterReceipt, amount }) =>
        `  ${formatMoney(amount)} reversed (${laterReceipt ?? transactionId}), reversal ${id}`,
    ),
    ...refunds.map(({ id, amount }) => `  ${formatMoney(amount)} refunded, refund ${id}`),
    ...corrections.map(
      ({ correctsId, amount, reason, createdBy, recordedAt }) =>
        `  ${amount < 0n ? '-' : '+'}${formatMoney(amount < 0n ? -amount : amount)} corrected on ${correctsId === payment.id ? 'the payment' : `reversal or refund ${correctsId}`} by ${createdBy}, ${recordedAt.toISOString()}: ${reason}`,
    ),
    ...(happenedAt === null ? [] : [`  paid at ${happenedAt.toISOString()}`]),
    ...(fee === null ? [] : [`  ${formatMoney(fee)} fee of the provider`]),
    ...(overRefunded > 0n ? [`  ${formatMoney(overRefunded)} went back twice`] : []),
    ...(unmatched > 0n || refunded === 0n ? [`  ${formatMoney(unmatched)} unmatched`] : []),
  ];
}

/**
 * Returns the id of a payment. Throws a UserError if no payment, or more than one, has the receipt number.
 * @param name the id or the receipt number of the payment.
 */
async function paymentNamed(runtime: Runtime, name: string): Promise<string> {
  if (isUuid(name)) return name;
  const [found, ...others] = await showPayments(runtime, name);
  if (!found) throw new UserError(NO_PAYMENT);
  if (others.length > 0)
    throw new UserError(`Several providers have a receipt ${name}. Give the id of the payment: "bili payment show ${name}" lists them.`);
  return found.payment.id;
}
