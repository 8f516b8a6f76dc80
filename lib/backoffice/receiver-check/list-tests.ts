import { listStandaloneAttempts, type StandaloneAttempt } from '@/lib/backoffice/delivery-log/delivery-store';
import { type AttemptView, viewAttempt } from '@/lib/backoffice/delivery-log/delivery-view';
import { type Access, authorize } from '@/lib/identity/accounts/access/grant-access';
import { isUuid, lowestId } from '@/lib/platform/core/ids';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { CALLS_MAX, judgeCheck, type StepCall, type StepJudgement } from './check-rules';
import { type CheckedCall, listCheckedCalls, type RecordedCall } from './check-store';

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
 * Returns test webhooks and calls of receiver checks, newest first. The calls of one check are in the order of its steps.
 * @param before `older` of the previous page; null for the first page.
 */
export async function listTests({ db }: Pick<Runtime, 'db'>, access: Access, before: string | null): Promise<TestPage> {
  if (authorize(access, 'webhooks.view')) return { tests: [], older: null };
  const rows = await listStandaloneAttempts(db, access.scope, { before: readCursor(before), limit: PAGE_SIZE + 1 });
  const shown = rows.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  const calls = last ? await listCheckedCalls(db, access.scope, lowestId(last.startedAt.getTime())) : [];
  const found = shown.map((row) => ({ row, checked: callOf(calls, row) }));
  // The position of each row is that of the newest row of its check.
  const position = ({ checked }: (typeof found)[number], index: number) =>
    checked ? found.findIndex((other) => other.checked?.checkId === checked.checkId) : index;
  const tests = found
    .map((one, index) => ({ ...one, index, first: position(one, index) }))
    .toSorted((a, b) => a.first - b.first || b.index - a.index)
    .map(({ row, checked }) => ({ ...viewAttempt(row), messageId: row.messageId, body: textOf(row.requestBody), checked }));
  return { tests, older: rows.length > PAGE_SIZE && last ? `${last.startedAt.getTime()}.${last.id}` : null };
}

/** A receiver check that has ended. */
interface LastCheck {
  readonly id: string;
  readonly url: string;
  readonly endedAt: Date;
  readonly steps: readonly StepJudgement[];
}

/** Returns the receiver check that ended last, judged by the stored answers. Null if there is none in the log of attempts. */
export async function findLastCheck({ db }: Pick<Runtime, 'db'>, access: Access): Promise<LastCheck | null> {
  if (authorize(access, 'webhooks.view')) return null;
  // Another check may be running, so its calls are newer.
  const rows = await listStandaloneAttempts(db, access.scope, { before: null, limit: 2 * CALLS_MAX, triggers: ['check'] });
  const oldest = rows.at(-1);
  const calls = oldest ? await listCheckedCalls(db, access.scope, lowestId(oldest.startedAt.getTime())) : [];
  const checks = rows.flatMap((row) => callOf(calls, row) ?? []);
  const last = checks.toSorted((a, b) => (a.checkId < b.checkId ? 1 : -1))[0];
  if (!last) return null;
  const made = rows.toReversed().filter((row) => callOf(calls, row)?.checkId === last.checkId);
  const steps = judgeCheck(made.flatMap((row) => stepCall(row, callOf(calls, row)) ?? []));
  return { id: last.checkId, url: made.at(0)?.url ?? '', endedAt: last.endedAt, steps };
}

function stepCall(row: StandaloneAttempt, call: RecordedCall | null): StepCall | null {
  if (!call) return null;
  const { error, errorData, httpStatus: status, durationMs } = viewAttempt(row);
  return { step: call.step, status, durationMs, failure: error === null ? null : { errorClass: error, errorData } };
}

function callOf(
  calls: readonly RecordedCall[],
  { messageId, number }: Pick<StandaloneAttempt, 'messageId' | 'number'>,
): RecordedCall | null {
  return calls.find((call) => call.messageId === messageId && call.number === number) ?? null;
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('utf8');
}

function readCursor(text: string | null): { at: Date; id: string } | null {
  const [ms = '', id = ''] = (text ?? '').split('.');
  return /^\d{1,14}$/.test(ms) && isUuid(id) ? { at: new Date(Number(ms)), id } : null;
}
