import { type Access, authorize } from '@/lib/accounts/access/grant-access';
import { isUuid, newId } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AttemptView, viewAttempt } from '@/lib/webhooks/log/delivery-view';
import { listStandaloneAttempts } from '@/lib/webhooks/log/logged-attempt-store';
import { type CheckedCall, listCheckedCalls } from './check-store';

const PAGE_SIZE = 20;

/** A test webhook or one call of a receiver check, with the request and the answer. */
export interface TestView extends AttemptView {
  readonly messageId: string;
  /** The request body; null for old entries, which were stored without it. */
  readonly body: string | null;
  /** The step of the check to which this call belongs, and its result. Null for a test webhook, and while the check is running. */
  readonly checked: Pick<CheckedCall, 'step' | 'outcome'> | null;
}

interface TestPage {
  readonly tests: readonly TestView[];
  /** The value of `before` for the next page. */
  readonly older: string | null;
}

/**
 * Returns test webhooks and calls of receiver checks, newest first.
 * @param before `older` of the previous page; null for the first page.
 */
export async function listTests({ db }: Pick<Runtime, 'db'>, access: Access, before: string | null): Promise<TestPage> {
  if (authorize(access, 'webhooks.view')) return { tests: [], older: null };
  const rows = await listStandaloneAttempts(db, access.scope, { before: readCursor(before), limit: PAGE_SIZE + 1 });
  const shown = rows.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  const calls = last ? await listCheckedCalls(db, access.scope, firstIdOf(last.startedAt)) : [];
  const checkedAs = ({ messageId, number }: Pick<CheckedCall, 'messageId' | 'number'>) =>
    calls.find((call) => call.messageId === messageId && call.number === number) ?? null;
  const tests = shown.map((row) => ({
    ...viewAttempt(row),
    messageId: row.messageId,
    body: textOf(row.requestBody),
    checked: checkedAs(row),
  }));
  return { tests, older: rows.length > PAGE_SIZE && last ? `${last.startedAt.getTime()}.${last.id}` : null };
}

/** Returns the lowest UUIDv7 of an instant. */
function firstIdOf(at: Date): string {
  return newId({ clock: () => at, random: (bytes) => new Uint8Array(bytes) });
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('utf8');
}

function readCursor(text: string | null): { at: Date; id: string } | null {
  const [ms = '', id = ''] = (text ?? '').split('.');
  return /^\d{1,14}$/.test(ms) && isUuid(id) ? { at: new Date(Number(ms)), id } : null;
}
