import { reconcileStatement } from '@/lib/gateway/reconciliation/reconcile-statement';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { placeOf } from '../fakes/fake-provider';
import { TILLS, type Till, type Transaction } from '../fakes/fake-record';
import { MODEL } from './actor';
import { hasLeft } from './callback-steps';
import { pick } from './gateway-steps';
import { HONEST, type World } from './world';

const YEAR_MS = 365 * DAY_MS;
const HEADER = 'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id';

interface Choice {
  readonly till: number;
  /**
   * The index of the till's transaction with which the period starts. `last` is the index of the transaction with which the period ends.
   */
  readonly first: number;
  readonly last: number;
  /**
   * 0: the file has the transactions of the period. 1: the file has all transactions of the till. 2: like 0, but without the last
   * transaction.
   */
  readonly file: number;
}

/** Reconciles a statement of a part of a till's transactions. */
export async function readStatement(world: World, { till: index, first, last, file }: Choice): Promise<void> {
  const till = pick(TILLS, index) ?? 'signed';
  const all = world.provider.transactions.filter((one) => one.till === till);
  const [from, to] = [all[first], all[Math.max(first, last)] ?? all.at(-1)];
  if (!from || !to) return;
  const period = { from: from.at, to: addMs(to.at, 1) };
  const within = all.filter(({ at }) => at >= period.from && at < period.to);
  await reconcile(world, till, { period, lines: file === 1 ? all : file === 2 ? within.slice(0, -1) : within });
}

/** Reconciles the whole statement of a till. */
export async function readWholeStatement(world: World, till: Till): Promise<void> {
  const now = world.runtime.clock();
  const lines = world.provider.transactions.filter((one) => one.till === till);
  await reconcile(world, till, { period: { from: addMs(now, -YEAR_MS), to: addMs(now, YEAR_MS) }, lines });
}

interface File {
  readonly period: { readonly from: Date; readonly to: Date };
  readonly lines: readonly Transaction[];
}

async function reconcile(world: World, till: Till, { period, lines }: File): Promise<void> {
  const { prompts, wrongRefusals } = world.provider;
  // A payment may have the reference of another owner's attempt. The statement contains such a payment without the reference.
  const isForeign = (reference: string) => (prompts.get(reference)?.till ?? till) !== till && !wrongRefusals.has(placeOf(till, reference));
  // Statements in the canonical format have no payouts.
  const rows = lines.flatMap(({ receipt, kind, amount, at, reference, of }) => {
    const ours = kind === 'payment' && !isForeign(reference) ? reference : '';
    return kind === 'payout' ? [] : [[receipt, kind, (amount / 100).toFixed(2), at.toISOString(), ours, '', of ?? ''].join(',')];
  });
  const bytes = new TextEncoder().encode([HEADER, ...rows].join('\n'));
  const accountId = world.tills[till].at(-1)?.id ?? world.accounts[till].id;
  const reconciled = await reconcileStatement(world.process(HONEST), {
    accountId,
    file: { name: 'statement.csv', bytes },
    format: 'canonical',
    period,
    actor: MODEL,
    ifIncomplete: 'accept',
  });
  if (!reconciled.ok) throw new Error(`a statement was refused: ${reconciled.error.join(' ')}`);
  for (const { kind, receipt, at, reference } of lines) {
    if (kind !== 'payment' || at < period.from || at >= period.to) continue;
    world.learned.add(`${till} ${receipt}`);
    const isRefused = wrongRefusals.has(placeOf(till, reference)) && !world.frozen && hasLeft(world, till, reference);
    const payment = world.books.payments.find(
      (one) => one.kind === 'payment' && one.provider_transaction_id === receipt && world.tillOf(one.provider_account_id) === till,
    );
    if (isRefused && (!payment || isUntouched(world, payment))) world.refusedLines.push({ till, receipt, reference, isNew: !payment });
  }
}

/** Returns whether nobody had used a payment before this step. */
function isUntouched({ books }: World, { id, attempt_id }: World['books']['payments'][number]): boolean {
  const used = books.allocations.some(({ payment_id }) => payment_id === id);
  return attempt_id === null && !used && ![...books.payments, ...books.byHand].some(({ reverses_id }) => reverses_id === id);
}
