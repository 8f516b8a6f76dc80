import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { type JsonFlag, reasonOption, shillings } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';
import { type RecordRefusal, recordPayment } from '@/lib/gateway/ledger/record-payment';
import { HAND_SOURCES, type HandSource, SLIP_MAX } from '@/lib/gateway/ledger/rules';
import { newId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { REASON_MAX } from '@/lib/platform/core/text';
import { formatMoney } from '@/lib/platform/i18n/format';
import { accessToBill } from './bill-commands';

interface Flags extends JsonFlag {
  readonly amount: Senti;
  readonly kind: HandSource;
  readonly date?: string;
  readonly slip?: string;
  readonly overpay?: true;
  readonly reason: string;
}

/** Adds `bili payment record`. */
export function addRecordCommand(payments: Command): void {
  payments
    .command('record')
    .description('record money that a person received for a bill, for example cash')
    .argument('<bill>', "the bill's id")
    .requiredOption('--amount <shillings>', 'the amount', shillings)
    .addOption(new Option('--kind <kind>', 'how the money was received').choices([...HAND_SOURCES]).makeOptionMandatory())
    .option('--date <when>', 'the day (2026-11-20, East Africa Time) or the time with offset; default: now')
    .option('--slip <number>', 'the number of the slip; a merchant may use it once')
    .option('--overpay', 'the amount may be more than what is left of the bill')
    .addOption(reasonOption())
    .action(async (billId: string, { amount, kind: source, date, slip, overpay, reason: note, json }: Flags) => {
      const recorded = await withRuntime(async (runtime) => {
        const entered = { amount, source, receivedAt: date ?? '', slip: slip ?? '', note, overpay: overpay ?? false };
        return recordPayment(runtime, await accessToBill(runtime, billId), { ...entered, billId, requestKey: newId(runtime) });
      });
      if (!recorded.ok) throw new UserError(describe(recorded.error));
      const { paymentId } = recorded.value;
      print(json, { payment: paymentId, bill: billId, amount }, [`${formatMoney(amount)} is on bill ${billId}, as payment ${paymentId}.`]);
    });
}

function describe(refusal: RecordRefusal): string {
  switch (refusal.code) {
    case 'prompt_open':
      return `A payment request of ${formatMoney(refusal.reserved)} is open, and without it ${formatMoney(refusal.left)} are left. Wait until it has ended, or release it: bili attempt release`;
    case 'more_than_due':
      return `Only ${formatMoney(refusal.left)} are left of this bill. If the amount is right, add --overpay.`;
    default:
      return REFUSALS[refusal.code];
  }
}

const REFUSALS: Readonly<Record<Exclude<RecordRefusal['code'], 'prompt_open' | 'more_than_due'>, string>> = {
  bill_not_found: 'There is no bill with that id.',
  amount_invalid: 'The amount is too large.',
  received_at_invalid: '--date must be a day, or a time with its offset, of the last year.',
  slip_too_long: `--slip must have at most ${SLIP_MAX} characters.`,
  note_too_long: `--reason must have at most ${REASON_MAX} characters.`,
  slip_used: 'The merchant has already recorded a payment with this slip. "bili payment show" finds it.',
  // These cannot happen: each command has a key of its own, and the operator may record payments.
  idempotency_key_reused: 'The payment was already recorded.',
  not_allowed: 'You may not record payments.',
  second_factor_due: 'You may not record payments.',
};
