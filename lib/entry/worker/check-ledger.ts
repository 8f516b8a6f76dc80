import { setTimeout as delay } from 'node:timers/promises';
import { type CheckKind, type ClaimedCheck, claimCheck, continueCheck, endCheck } from '@/lib/gateway/ledger/check-store';
import { countUnmatched } from '@/lib/gateway/ledger/listing-store';
import { addBreaches, firstPosition, verifyPiece } from '@/lib/gateway/ledger/verify-ledger';
import { type Breach, TABLES } from '@/lib/gateway/ledger/verify-store';
import { listChains } from '@/lib/identity/audit/chain-store';
import { describeBreak, verifyChain } from '@/lib/identity/audit/verify-chain';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { eastAfricanDayStart } from '@/lib/platform/core/east-african-day';
import { lowestId } from '@/lib/platform/core/ids';
import type { Runtime } from '@/lib/platform/runtime/runtime';

type Needs = Pick<Runtime, 'db' | 'clock' | 'log' | 'secrets'>;

/** Longer than all statements of a piece may take. */
const LEASE_MS = 5 * MINUTE_MS;
/** A worker gives the lease back after about this time, so that the checks take turns and a worker can stop. */
const TURN_MS = SECOND_MS;
/** The first check of new rows goes back this far. */
const FIRST_PERIOD_MS = HOUR_MS;
/** A check of new rows begins this long before the previous one, because transactions that were open then have committed later. */
const OVERLAP_MS = 5 * MINUTE_MS;
/** The number of audit entries of each chain that are checked. "bili audit verify" checks all. */
const NEWEST_ENTRIES = 1_000n;

/** Unmatched payments beyond this number are not counted. */
const UNMATCHED_MAX = 1_000;
const UNMATCHED_PERIOD_MS = 7 * DAY_MS;

/** Where a check continues. A `nextId` of null means that it has ended. */
interface Progress {
  readonly nextTable: string | null;
  readonly nextId: string | null;
  readonly breaches: readonly Breach[];
}

/**
 * Works on one of the checks that are due: the whole ledger once a night, its new rows and the unmatched payments every ten minutes, and the
 * audit log every hour. All workers share each check, in pieces of short statements. A check continues where the previous worker has stopped or died.
 * @param turnMs after this time, the lease is given back.
 * @returns whether there may be more to do.
 */
export async function checkLedger(runtime: Needs, turnMs = TURN_MS): Promise<boolean> {
  const { db, clock, log } = runtime;
  const now = clock();
  const check = await claimCheck(db, now, addMs(now, LEASE_MS));
  if (check === null) return false;
  const began = performance.now();
  let { nextTable, nextId }: Pick<Progress, 'nextTable' | 'nextId'> = check;
  let found = check.found;
  do {
    const progress = await takeStep(runtime, check, { nextTable, nextId });
    ({ nextTable, nextId } = progress);
    for (const { name, count, first } of check.kind === 'unmatched' ? [] : progress.breaches)
      log.error({ rule: name, count, first }, 'a rule is broken; see: bili doctor');
    found = addBreaches(found, progress.breaches);
  } while (nextId !== null && performance.now() - began < turnMs);
  const ended = clock();
  if (nextId === null) await endCheck(db, check, { now: ended, dueAt: nextRun(check.kind, ended, found.length > 0), found });
  else await continueCheck(db, check, { now: ended, nextTable, nextId, found });
  // Half of the time is left to other work.
  if (nextId !== null) await delay(performance.now() - began);
  return true;
}

function takeStep(runtime: Needs, check: ClaimedCheck, { nextTable, nextId }: Omit<Progress, 'breaches'>): Promise<Progress> {
  if (check.kind === 'audit') return checkChain(runtime, nextId);
  return check.kind === 'unmatched' ? countRecentlyUnmatched(runtime) : checkPiece(runtime, check, nextTable, nextId);
}

/** Counts the unmatched payments of the last week, as a "violation" of no rule. "bili payment unmatched" lists all. */
async function countRecentlyUnmatched({ db, clock }: Needs): Promise<Progress> {
  const count = await countUnmatched(db, UNMATCHED_MAX, lowestId(addMs(clock(), -UNMATCHED_PERIOD_MS).getTime()));
  return { breaches: count > 0 ? [{ name: 'unmatched', count, first: [] }] : [], nextTable: null, nextId: null };
}

async function checkPiece(
  { db }: Needs,
  { kind, startedAt, coveredTo }: ClaimedCheck,
  table: string | null,
  id: string | null,
): Promise<Progress> {
  const since = coveredTo === null ? addMs(startedAt, -FIRST_PERIOD_MS) : addMs(coveredTo, -OVERLAP_MS);
  const options = kind === 'recent' ? { from: lowestId(since.getTime()) } : {};
  const position = id === null ? firstPosition(options) : { table: TABLES.find((one) => one === table) ?? null, after: id };
  const { breaches, next } = await verifyPiece(db, position, options);
  return { breaches, nextTable: next?.table ?? null, nextId: next?.after ?? null };
}

/** Checks the next chain of the audit log. @param after the previous chain; null at the beginning. */
async function checkChain(runtime: Needs, after: string | null): Promise<Progress> {
  const chains = (await listChains(runtime.db)).filter((chain) => after === null || chain > after).sort();
  const [chain = null] = chains;
  if (chain === null) return { breaches: [], nextTable: null, nextId: null };
  const { broken } = await verifyChain(runtime, { chain, newest: NEWEST_ENTRIES });
  const breaches = broken ? [{ name: 'audit_chain', count: 1, first: [{ subject: chain, detail: describeBreak(broken, 'en') }] }] : [];
  return { breaches, nextTable: null, nextId: chains.length > 1 ? chain : null };
}

/** Returns when the next run of a check begins. The complete one begins at one o'clock at night in East Africa, or soon after a problem. */
function nextRun(kind: CheckKind, now: Date, broken: boolean): Date {
  if (kind === 'recent' || kind === 'unmatched') return addMs(now, 10 * MINUTE_MS);
  if (kind === 'audit' || broken) return addMs(now, HOUR_MS);
  return addMs(eastAfricanDayStart(addMs(now, -HOUR_MS)), DAY_MS + HOUR_MS);
}
