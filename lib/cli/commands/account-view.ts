import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type ListedAccount, listAccounts, openAccount } from '@/lib/providers/accounts/account-store';
import { BREAKER_FAILURES, REFUSAL_CLASSES, refusalClass } from '@/lib/providers/accounts/health-rules';
import {
  listMissingProofs,
  listRecentHistory,
  PROOF_TEXTS,
  RECENT_MINUTES,
  type RecentHistory,
} from '@/lib/providers/accounts/history-store';

type AccountView = Awaited<ReturnType<typeof listAccountViews>>[number];

/** Returns all accounts without their credentials, with their health, their recent history and their missing proofs. */
export async function listAccountViews(runtime: Runtime) {
  const accounts = await listAccounts(runtime.db);
  const recent = await listRecentHistory(runtime.db, runtime.clock());
  const missing = await listMissingProofs(
    runtime.db,
    accounts.map(({ id }) => id),
  );
  return accounts.map((account) => ({
    ...toView(runtime, account),
    recent: classified(recent.get(account.id)),
    unproven: missing.get(account.id) ?? [],
  }));
}

function toView(runtime: Runtime, account: ListedAccount) {
  const { id, provider, label, environment, merchant, networks, promptName, createdAt, disabledAt } = account;
  const { downSince, lastSuccessAt, failures, lastError, refusals, avoidUntil, refusedSince, lastRefusal } = account;
  const { callbackUrl } = openAccount(runtime, { id, provider, environment, networks, encryptedCredentials: null });
  const suspendedUntil = avoidUntil !== null && avoidUntil > runtime.clock() ? avoidUntil : null;
  const health = { downSince, suspendedUntil, lastSuccessAt, failures, lastError, refusals, refusedSince, lastRefusal };
  return { id, provider, label, environment, merchant, networks, promptName, callbackUrl, createdAt, disabledAt, ...health };
}

/** Groups the refusals of a history by class. Classes without refusals are left out. Returns null for a disabled account. */
function classified(history: RecentHistory | undefined) {
  if (!history) return null;
  const { refusals, ...recent } = history;
  const classes = REFUSAL_CLASSES.flatMap((name) => {
    const reasons = refusals.filter(({ reason }) => refusalClass(reason) === name);
    return reasons.length === 0 ? [] : [{ class: name, count: reasons.reduce((sum, { count }) => sum + count, 0), reasons }];
  });
  return { minutes: RECENT_MINUTES, ...recent, refusals: classes };
}

/** Returns the lines about an account: its health, then its recent history and its missing proofs. */
export function describeAccount(account: AccountView): string[] {
  const { id, label, environment, merchant, networks, promptName, disabledAt, recent, unproven } = account;
  const line = `${id}  ${label}  ${environment}  ${merchant ?? 'operator'}  ${networks.join(',')}  ${healthOf(account)}`;
  if (disabledAt) return [line];
  const missing = unproven.map((proof) => PROOF_TEXTS[proof]).join(', ');
  return [
    line,
    ...(promptName === null ? [] : [`  prompts show the name "${promptName}"`]),
    ...(recent ? describeRecent(recent) : []),
    ...(missing === '' ? [] : [`  unproven: its history does not contain ${missing}`]),
  ];
}

function describeRecent({ minutes, calls, answered, medianMs, p95Ms, ...recent }: NonNullable<AccountView['recent']>): string[] {
  const { callbacks, ended, paid, medianTruthMs, p95TruthMs, refusals } = recent;
  if (calls === 0 && callbacks === 0 && ended === 0) return [];
  const times = (median: number | null, p95: number | null) =>
    median === null ? '' : `, ${seconds(median)} (95%: ${seconds(p95 ?? median)})`;
  const refused = refusals.map(
    (one) => `${one.class} ${one.count} (${one.reasons.map(({ reason, count }) => `${reason} ${count}`).join(', ')})`,
  );
  return [
    `  last ${minutes} min: calls ${calls}, answered ${answered}${times(medianMs, p95Ms)}; callbacks ${callbacks}`,
    ...(ended === 0 ? [] : [`  outcomes ${ended}, paid ${paid}; from prompt to outcome${times(medianTruthMs, p95TruthMs).slice(1)}`]),
    ...(refused.length === 0 ? [] : [`  refusals: ${refused.join('; ')}`]),
  ];
}

function seconds(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(ms < 10 * SECOND_MS ? 2 : 0)} s`;
}

function healthOf(account: AccountView): string {
  const { disabledAt, downSince, lastSuccessAt, failures, lastError, refusals, suspendedUntil, lastRefusal, recent } = account;
  if (disabledAt) return 'disabled';
  // The time of an account's last answer is stored a moment after the call. While that time is missing, the recent calls show whether the
  // account answers.
  const called = (recent?.answered ?? 0) > 0 ? 'it answers' : 'not called yet';
  const answered = lastSuccessAt ? `last answer at ${lastSuccessAt.toISOString()}` : called;
  if (downSince) return `down since ${downSince.toISOString()} (${lastError ?? 'no answer'}; ${answered})`;
  const last = lastRefusal === null ? '' : `; its last answer: ${lastRefusal}`;
  const refused = `the provider has refused ${refusals} payment requests in a row, for example because of the credentials${last}`;
  if (suspendedUntil) return `suspended until ${suspendedUntil.toISOString()}: ${refused}`;
  if (failures >= BREAKER_FAILURES) return `suspended: ${failures} calls in a row failed (${lastError ?? 'no answer'}; ${answered})`;
  if (refusals > 0) return `active (${refused}; ${answered})`;
  return failures > 0 ? `active (${failures} calls in a row failed: ${lastError ?? 'no answer'}; ${answered})` : `active (${answered})`;
}
