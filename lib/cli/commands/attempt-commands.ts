import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { operatorRefusal, valueOrRefusal } from '@/lib/cli/terminal/operator';
import { type JsonFlag, reasonOption, shillings, withProviders, words } from '@/lib/cli/terminal/options';
import { print, printList, progress, UserError } from '@/lib/cli/terminal/output';
import { findUnqueryable, queryAttempt } from '@/lib/gateway/attempts/query-attempt';
import { type ReleaseRefusal, releaseAttempt } from '@/lib/gateway/attempts/release-attempt';
import { type SettleRefusal, settleAttempt } from '@/lib/gateway/attempts/settle-attempt';
import { listUnknownAttempts } from '@/lib/gateway/ledger/listing-store';
import { findAttempt } from '@/lib/gateway/payments/store';
import { operatorAccess, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { REASON_MAX } from '@/lib/platform/core/text';
import { formatMoney } from '@/lib/platform/i18n/format';

type ReasonFlag = JsonFlag & { readonly reason: string };

const RELEASE_REFUSALS: Readonly<Record<Exclude<ReleaseRefusal['code'], 'too_early' | ProvenRefusal>, string>> = {
  not_found: 'There is no such attempt. "bili attempt unknown" lists the attempts with an unknown outcome.',
  not_unknown: 'Only an UNKNOWN attempt can be released.',
  already_released: 'This attempt is already released.',
  reason_required: 'Give a reason with --reason.',
  reason_too_long: `The reason has more than ${REASON_MAX} characters.`,
};

const SETTLE_REFUSALS: Readonly<Record<SettleRefusal, string>> = {
  not_found: RELEASE_REFUSALS.not_found,
  never_sent: 'This attempt was never sent to a provider, so there is nothing to settle.',
  already_settled: 'This attempt is already settled. If it was paid after all, use --paid.',
  receipt_taken: 'That receipt belongs to another payment. "bili payment show" shows which.',
  amount_recorded: 'The ledger has that receipt with another amount. "bili payment show" shows it, and "bili payment correct" changes it.',
  has_receipt:
    'This attempt was paid with another receipt. If the customer paid twice, add --also: the second payment is booked as unmatched. If the other receipt is wrong, correct it first with "bili payment correct".',
};

export function addAttemptCommands(attempts: Command): void {
  attempts
    .command('unknown')
    .description('list the attempts whose outcome is unknown')
    .action(async ({ json }: JsonFlag) => {
      const found = await withRuntime((runtime) => listUnknownAttempts(runtime.db));
      const lines = found.map(
        ({ id, environment, merchant, mobile, amount, ourReference, unknownSince, releasedAt, dueAt }) =>
          `${id}  ${environment}  ${merchant}  ${mobile}  ${formatMoney(amount)}  ${ourReference}  unknown since ${unknownSince?.toISOString()}` +
          `${releasedAt ? ', released' : ''}, ${dueAt ? `next query at ${dueAt.toISOString()}` : 'in review'}`,
      );
      printList(json, found, lines, 'No attempt has an unknown outcome.');
    });
  attempts
    .command('ask')
    .description('query the provider now, also for an attempt that has failed or expired')
    .argument('<attempt>', "the attempt's id")
    .action(async (id: string, { json }: JsonFlag) => {
      const { isDue, unqueryable } = await withRuntime(async (runtime) => ({
        isDue: await queryAttempt(runtime, { attemptId: id, actor: runtime.actor }),
        unqueryable: await findUnqueryable(withProviders(runtime), id),
      }));
      if (isDue && unqueryable !== null)
        throw new UserError(
          `The provider cannot be asked about this attempt: it finds payments by its own id only, and that is not known. Look for ${unqueryable} in the provider's records, then use "bili attempt settle".`,
        );
      if (!isDue) throw new UserError(`There is no attempt ${id} to query: it does not exist, was never sent, or is paid.`);
      print(json, { id, asked: true }, ['A worker will query the provider as soon as possible.']);
    });
  attempts
    .command('release')
    .description('release the reserved amount of an unknown attempt, so that the bill can be paid again; the attempt may still succeed')
    .argument('<attempt>', "the attempt's id")
    .addOption(reasonOption())
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
            ? `This attempt cannot be released before ${error.from.toISOString()}.`
            : RELEASE_REFUSALS[operatorRefusal(error.code)],
        );
      }
      const { amount } = released.value;
      print(json, { id, released: true, amount }, [`Released ${formatMoney(amount)}. If the money arrives after all, it is booked.`]);
    });
  attempts
    .command('settle')
    .description('settle an attempt with the answer that the provider gave you')
    .argument('<attempt>', "the attempt's id")
    .addOption(new Option('--paid <receipt>', "the provider's receipt number").argParser(words).conflicts('failed'))
    .option('--amount <shillings>', 'the amount paid, if it differs from the requested amount', shillings)
    .addOption(new Option('--failed', 'no money was moved, and none will be'))
    .option('--also', 'a second payment of the same attempt: book it as unmatched', false)
    .addOption(reasonOption())
    .action(async (id: string, options: ReasonFlag & { paid?: string; amount?: Senti; failed?: true; also: boolean }) => {
      const { paid, amount, failed, also, reason, json } = options;
      if (paid === undefined && !failed) attempts.error('Give the outcome: --paid <receipt> or --failed.');
      const settled = await withRuntime(async (runtime) => {
        const asked = (await findAttempt(runtime.db, id))?.amount ?? 0n;
        const outcome =
          paid === undefined
            ? ({ kind: 'failed', reason: 'rejected' } as const)
            : ({ kind: 'paid', transactionId: paid, amount: amount ?? asked } as const);
        return settleAttempt(withProviders(runtime), { attemptId: id, outcome, reason, actor: runtime.actor, isSecondPayment: also });
      });
      const { state, differsFromReceipt, unmatched, billId } = valueOrRefusal(settled, SETTLE_REFUSALS);
      const next = unmatched ? [`If this is new money, allocate it: bili payment allocate ${paid} --bill ${billId} --reason TEXT`] : [];
      print(json, { id, state }, [`The attempt is ${state}.`, ...next]);
      if (differsFromReceipt !== null)
        progress(
          `${paid} does not look like other receipts of this account, for example ${differsFromReceipt}. If it is wrong: bili payment correct ${paid} --to 0 --reason TEXT`,
        );
    });
}
