import type { Connection } from '@/lib/platform/db/database';
import { statement } from '@/lib/platform/db/statement';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type Head, hashRow, initialHash, isAuthentic } from './chain-rules';
import { countUnsealed, findHead, findSealed, listSealed, type SealedRow, type Tail } from './chain-store';

/** The first problem of a chain. Numbers are row numbers, counted from 1. */
type Break =
  /** The row is not the one that was sealed: it was changed or replaced. */
  | { readonly kind: 'changed'; readonly number: bigint; readonly id: string }
  | { readonly kind: 'missing'; readonly from: bigint; readonly to: bigint }
  /** A row that was not sealed by Bili: a second one with the same number, or one after the head. */
  | { readonly kind: 'inserted'; readonly number: bigint; readonly id: string }
  | { readonly kind: 'head_missing'; readonly last: bigint }
  /** The head was not created with this deployment's key. */
  | { readonly kind: 'head_forged' }
  /** Every row matches the previous one, but the last row differs from the sealed head: somebody has rewritten the whole chain. */
  | { readonly kind: 'rewritten'; readonly number: bigint }
  /** The head that was stored elsewhere belongs to another deployment or another chain. */
  | { readonly kind: 'kept_foreign' }
  /** The head that was stored elsewhere is newer than the chain: the newest rows and the head were deleted. */
  | { readonly kind: 'cut'; readonly kept: bigint; readonly last: bigint }
  /** A row has the same number as the head that was stored elsewhere, but another hash. */
  | { readonly kind: 'kept_differs'; readonly number: bigint };

export interface Verification {
  readonly chain: string;
  readonly rows: number;
  readonly head: Head | null;
  readonly broken: Break | null;
  /** Unsealed rows. They can still be changed without detection. */
  readonly tail: Tail;
}

interface VerifyOptions {
  readonly chain: string;
  /** A head that was stored elsewhere. Only with it can the check detect that the newest rows were deleted together with the head. */
  readonly kept?: Head;
  /** How many of the newest rows to check. All of them if absent, and with `kept`, because the row of that head may be older. */
  readonly newest?: bigint;
}

const PAGE = 5_000;

/** Makes a transaction read-only, with one snapshot of the database for all of its queries. */
const START_SNAPSHOT = statement({
  name: 'read one moment',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY',
});

/** Checks the sealed rows of a chain, page by page, in one snapshot of the database. Changes nothing. */
export async function verifyChain(
  { db, secrets }: Pick<Runtime, 'db' | 'secrets'>,
  { chain, kept, newest }: VerifyOptions,
): Promise<Verification> {
  const key = secrets.key('audit');
  return db.transaction(async (tx) => {
    await START_SNAPSHOT.rows(tx, {});
    const head = (await findHead(tx, chain)) ?? null;
    const walk = await walkChain(tx, { chain, head, newest: kept ? undefined : newest, kept: kept?.number });
    const broken = headProblem(key, head, walk) ?? (kept ? keptProblem(key, { chain, kept, walk }) : null);
    return { chain, rows: walk.rows, head, broken, tail: await countUnsealed(tx, chain) };
  });
}

interface Walk {
  readonly rows: number;
  /** The number of the last valid row. */
  readonly last: bigint;
  readonly hash: Buffer;
  readonly broken: Break | null;
  /** The hash of the row with the number `WalkOptions.kept`. Null if this number is not given, or if no checked row has it. */
  readonly atKept: Buffer | null;
}

interface WalkOptions {
  readonly chain: string;
  readonly head: Head | null;
  readonly newest: bigint | undefined;
  /** The number of a head that was stored elsewhere. */
  readonly kept: bigint | undefined;
}

async function walkChain(tx: Connection, { chain, head, newest, kept }: WalkOptions): Promise<Walk> {
  const start = newest !== undefined && head && head.number > newest ? await findSealed(tx, chain, head.number - newest) : undefined;
  let last = start && head && newest !== undefined ? head.number - newest : 0n;
  let hash = start?.chainHash ? Buffer.from(start.chainHash) : initialHash(chain);
  let after = start ? { number: last, id: start.id } : null;
  let rows = 0;
  let atKept: Buffer | null = null;
  for (;;) {
    const page = await listSealed(tx, chain, { after, limit: PAGE });
    for (const row of page) {
      const broken = rowProblem(row, last, hash, head);
      if (broken) return { rows, last, hash, broken, atKept };
      rows += 1;
      last = row.number;
      hash = row.hash ?? hash;
      if (last === kept) atKept = hash;
    }
    const end = page.at(-1);
    if (!end || page.length < PAGE) return { rows, last, hash, broken: null, atKept };
    after = { number: end.number, id: end.id };
  }
}

function rowProblem(row: SealedRow, last: bigint, hash: Buffer, head: Head | null): Break | null {
  const { number, id } = row;
  if (number <= last || (head && number > head.number)) return { kind: 'inserted', number, id };
  if (number > last + 1n) return { kind: 'missing', from: last + 1n, to: number - 1n };
  return row.hash?.equals(hashRow(hash, number, row)) ? null : { kind: 'changed', number, id };
}

function headProblem(key: Buffer, head: Head | null, { last, hash, broken }: Walk): Break | null {
  if (head && !isAuthentic(key, head)) return { kind: 'head_forged' };
  if (broken) return broken;
  if (!head) return last === 0n ? null : { kind: 'head_missing', last };
  if (head.number > last) return { kind: 'missing', from: last + 1n, to: head.number };
  return head.hash.equals(hash) ? null : { kind: 'rewritten', number: last };
}

function keptProblem(key: Buffer, { chain, kept, walk }: { chain: string; kept: Head; walk: Walk }): Break | null {
  if (kept.chain !== chain || !isAuthentic(key, kept)) return { kind: 'kept_foreign' };
  if (kept.number > walk.last) return { kind: 'cut', kept: kept.number, last: walk.last };
  return walk.atKept?.equals(kept.hash) ? null : { kind: 'kept_differs', number: kept.number };
}

/** Returns one sentence that says what is wrong with a chain. */
export function describeBreak(broken: Break, locale: Locale): string {
  const t = translator(locale, 'AuditChain');
  switch (broken.kind) {
    case 'changed':
    case 'inserted':
      return t(broken.kind, { number: broken.number.toString(), id: broken.id });
    case 'missing': {
      const [from, to] = [broken.from.toString(), broken.to.toString()];
      return from === to ? t('missing_one', { from }) : t('missing', { from, to });
    }
    case 'head_missing':
      return t('head_missing', { last: broken.last.toString() });
    case 'rewritten':
    case 'kept_differs':
      return t(broken.kind, { number: broken.number.toString() });
    case 'cut':
      return t('cut', { kept: broken.kept.toString(), last: broken.last.toString() });
    case 'head_forged':
    case 'kept_foreign':
      return t(broken.kind);
  }
}
