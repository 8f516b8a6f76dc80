import { type Command, Option } from 'commander';
import { operatorAccess, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { operatorRefusal } from '@/lib/cli/terminal/operator-access';
import { type JsonFlag, jsonOption, reasonOption, shillings, withProviders, words } from '@/lib/cli/terminal/options';
import { print, progress, UserError } from '@/lib/cli/terminal/output';
import { isUuid } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import { REASON_MAX } from '@/lib/core/text';
import { formatMoney } from '@/lib/i18n/format';
import { queryAttempt } from '@/lib/payments/attempts/query-attempt';
import { type ReleaseRefusal, releaseAttempt } from '@/lib/payments/attempts/release-attempt';
import { type SettleRefusal, settleAttempt } from '@/lib/payments/attempts/settle-attempt';
import { listUnknownAttempts } from '@/lib/payments/ledger/listing-store';
import { findAttempt } from '@/lib/payments/store';

type ReasonFlag = JsonFlag & { readonly reason: string };

const RELEASE_REFUSALS: Readonly<Record<Exclude<ReleaseRefusal['code'], 'too_early' | ProvenRefusal>, string>> = {
  not_found: 'There is no such attempt; "bili attempt unknown" lists those that nobody knows the end of.',
  not_unknown: 'Only an attempt that is UNKNOWN can be released.',
  already_released: 'It was released before.',
  reason_required: 'Say why: --reason.',
  reason_too_long: `The reason has more than ${REASON_MAX} characters.`,
};

const SETTLE_REFUSALS: Readonly<Record<SettleRefusal, string>> = {
  not_found: RELEASE_REFUSALS.not_found,
  never_sent: 'It was never sent to a provider: there is nothing to settle.',
  already_settled: 'It has settled; only money can still come.',
  receipt_taken: 'That receipt is of other money: "bili payment show" says whose.',
  amount_recorded:
    'The ledger has that receipt with another amount: "bili payment show" says which, and "bili payment correct" changes it.',
  has_receipt:
    'It was paid under another receipt. If the customer paid twice, say --also: the second payment is kept as unmatched money. If the other receipt is wrong, correct it first: "bili payment correct".',
};

/** `bili attempt …`: prompts that nobody knows the end of. */
export function addAttemptCommands(attempts: Command): void {
  attempts
    .command('unknown')
    .description('list the attempts whose outcome is unknown')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      const found = await withRuntime((runtime) => listUnknownAttempts(runtime.db));
      const lines = found.map(
        ({ id, environment, merchant, mobile, amount, ourReference, unknownSince, releasedAt, dueAt }) =>
          `${id}  ${environment}  ${merchant}  ${mobile}  ${formatMoney(amount)}  ${ourReference}  unknown since ${unknownSince?.toISOString()}` +
          `${releasedAt ? ', released' : ''}, ${dueAt ? `asked next at ${dueAt.toISOString()}` : 'in review'}`,
      );
      print(json, found, lines.length > 0 ? lines : ['Every attempt is accounted for.']);
    });
  attempts
    .command('ask')
    .description('query the provider now, also for an attempt that has failed or expired')
    .argument('<attempt>', "the attempt's id")
    .addOption(jsonOption())
    .action(async (id: string, { json }: JsonFlag) => {
      if (!(await withRuntime((runtime) => queryAttempt(runtime, id))))
        throw new UserError(`There is no attempt ${id} to ask about: none such, never sent, or paid.`);
      print(json, { id, asked: true }, ['A worker asks as soon as it can.']);
    });
  attempts
    .command('release')
    .description('release the reserved amount of an unknown attempt, so that the bill can be paid again; the attempt may still succeed')
    .argument('<attempt>', "the attempt's id")
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(async (id: string, { reason, json }: ReasonFlag) => {
      const released = await withRuntime(async (runtime) => {
        const attempt = isUuid(id) ? await findAttempt(runtime.db, id) : undefined;
        if (!attempt) throw new UserError(RELEASE_REFUSALS.not_found);
        return releaseAttempt(runtime, operatorAccess(runtime.actor, attempt), { attemptId: id, reason });
      });
      if (!released.ok) {
        const { error } = released;
        throw new UserError(
          error.code === 'too_early'
            ? `It can be released from ${error.from.toISOString()} on.`
            : RELEASE_REFUSALS[operatorRefusal(error.code)],
        );
      }
      const { amount } = released.value;
      print(json, { id, released: true, amount }, [`Released ${formatMoney(amount)}. Should the money come after all, it is booked.`]);
    });
  attempts
    .command('settle')
    .description('settle an attempt with the answer that the provider gave you')
    .argument('<attempt>', "the attempt's id")
    .addOption(new Option('--paid <receipt>', "the provider's receipt number").argParser(words).conflicts('failed'))
    .option('--amount <shillings>', 'the amount paid, if it differs from the requested amount', shillings)
    .addOption(new Option('--failed', 'no money moved, and none will'))
    .option('--also', 'a second payment of the same attempt: keep it as unmatched', false)
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(async (id: string, options: ReasonFlag & { paid?: string; amount?: Senti; failed?: true; also: boolean }) => {
      const { paid, amount, failed, also, reason, json } = options;
      if (paid === undefined && !failed) attempts.error('Say what happened: --paid <receipt> or --failed.');
      const settled = await withRuntime(async (runtime) => {
        const asked = (await findAttempt(runtime.db, id))?.amount ?? 0n;
        const outcome =
          paid === undefined
            ? ({ kind: 'failed', reason: 'rejected' } as const)
            : ({ kind: 'paid', transactionId: paid, amount: amount ?? asked } as const);
        return settleAttempt(withProviders(runtime), { attemptId: id, outcome, reason, actor: runtime.actor, isSecondPayment: also });
      });
      if (!settled.ok) throw new UserError(SETTLE_REFUSALS[settled.error]);
      const { state, differsFromReceipt, unmatched, billId } = settled.value;
      const next = unmatched ? [`If its money is new, attach it: bili payment allocate ${paid} --bill ${billId} --reason TEXT`] : [];
      print(json, { id, state }, [`The attempt is ${state}.`, ...next]);
      if (differsFromReceipt !== null)
        progress(
          `${paid} does not look like the other receipts of this account, such as ${differsFromReceipt}. If it is wrong: bili payment correct ${paid} --to 0 --reason TEXT`,
        );
    });
}
