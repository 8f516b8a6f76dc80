import { listLivingProcesses, type Role, type SeenProcess } from '@/lib/entry/processes/store';
import type { Endpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { listEndpoints } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { listOpenProposals } from '@/lib/gateway/webhooks/endpoint/proposal-store';
import { listChains } from '@/lib/identity/audit/chain-store';
import { describeBreak, verifyChain } from '@/lib/identity/audit/verify-chain';
import { listMerchants } from '@/lib/identity/merchants/store';
import { readVersion } from '@/lib/platform/config/version';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { CLOCKS_APART_MS, describeDifference } from '@/lib/platform/db/watch-clock';
import { OVERDUE_MS } from '@/lib/platform/mail/rules';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type Finding, finding } from './finding';

/** Unknown callbacks are shown for a day. Strangers send some, too, so a problem that is solved must not be shown for ever. */
const UNKNOWN_CALLBACKS_MS = DAY_MS;

/** Checks by the heartbeats that web and a worker run, and that all processes have the same version and the right time. */
export async function examineProcesses({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<Finding[]> {
  const processes = await listLivingProcesses(db);
  const missing = (role: Role) =>
    !processes.some((seen) => seen.role === role) && `none has been seen in the last minute: start "bili ${role}"`;
  const version = readVersion();
  return [
    finding('worker_lives', 'A worker runs.', [missing('worker')]),
    finding('web_lives', 'A web process runs.', [missing('web')]),
    finding(
      'process_clocks',
      'The clocks of all processes agree with the database.',
      processes.map(
        (seen) =>
          Math.abs(seen.clockAheadMs) > CLOCKS_APART_MS &&
          `${describeDifference(seen.clockAheadMs, ` of ${nameOf(seen)}`)}: synchronize both with NTP`,
      ),
    ),
    finding(
      'processes_work',
      'No process reports a problem.',
      processes.flatMap((seen) => (seen.problem === null ? [] : [`${nameOf(seen)}: ${seen.problem}`])),
    ),
    finding(
      'processes_agree',
      'All processes have the version of this command.',
      processes.map((seen) => seen.version !== version && `${nameOf(seen)} has version ${seen.version}, this command has ${version}`),
      'note',
    ),
    finding(
      'forms_accepted',
      "Browsers' forms came from Bili's own pages.",
      processes.flatMap(
        (seen) =>
          seen.foreignFormAt !== null &&
          `${nameOf(seen)} refused ${seen.foreignForms}, the last one at ${seen.foreignFormAt.toISOString()} (${seen.foreignForm}): if the Origin is one of your addresses, let the proxy pass Host on unchanged`,
      ),
      'note',
    ),
    finding(
      'callbacks_known',
      'Callbacks of providers came to the addresses of accounts.',
      processes.map(
        (seen) =>
          seen.unknownCallbackAt !== null &&
          seen.unknownCallbackAt > addMs(clock(), -UNKNOWN_CALLBACKS_MS) &&
          `${nameOf(seen)} refused ${seen.unknownCallbacks}, the last one at ${seen.unknownCallbackAt.toISOString()} (${seen.unknownCallback}): if a provider sent it, correct the callback address at the provider: "bili provider list --json" shows it, and the log names the sender`,
      ),
      'note',
    ),
  ];
}

function nameOf({ role, host, pid }: SeenProcess): string {
  return `${role} ${pid} on ${host}`;
}

const UNAPPLIED_MS = 2 * MINUTE_MS;
/** The maximum number of overdue provider messages that a finding describes. */
const MESSAGES_SHOWN = 5;

/** Checks that workers have applied all stored provider messages. */
export async function examineMessages({ db, clock }: Runtime): Promise<Finding> {
  const overdue = await db.prisma.providerMessage.findMany({
    where: { handledAt: null, receivedAt: { lte: addMs(clock(), -UNAPPLIED_MS) } },
    select: { id: true, kind: true, receivedAt: true, applyCount: true, providerAccount: { select: { label: true } } },
    orderBy: [{ receivedAt: 'asc' }, { id: 'asc' }],
    take: MESSAGES_SHOWN + 1,
  });
  const details = overdue
    .slice(0, MESSAGES_SHOWN)
    .map(
      ({ id, providerAccount, kind, receivedAt, applyCount }) =>
        `${kind} ${id} from ${providerAccount.label}, received ${receivedAt.toISOString()}: ${applyCount === 0 ? 'no worker has tried to apply it; check that one runs' : `failed to apply ${applyCount} times; see the worker's log`}`,
    );
  const more = overdue.length > MESSAGES_SHOWN ? ['and more'] : [];
  return finding('messages_applied', 'All stored provider messages have been applied.', [...details, ...more]);
}

/** Checks that mail is set up and sent. Overdue mail is an error, failed mail is a note. */
export async function examineMail({ db, clock, settings }: Runtime): Promise<Finding> {
  const { mail } = db.prisma;
  const unsent = { state: 'QUEUED', createdAt: { lte: addMs(clock(), -OVERDUE_MS) } } as const;
  const [failed, overdue, oldest] = await Promise.all([
    mail.count({ where: { state: 'FAILED' } }),
    mail.count({ where: unsent }),
    mail.findFirst({ where: unsent, select: { lastError: true }, orderBy: { id: 'asc' } }),
  ]);
  const reason = settings.mail ? (oldest?.lastError ?? 'check that a worker runs') : 'SMTP_URL is not set';
  const details = [
    ...(overdue > 0 ? [`overdue: ${overdue}; ${reason}`] : []),
    ...(failed > 0 ? [`failed in the last 30 days: ${failed}; see "bili mail list --failed"`] : []),
  ];
  const text = settings.mail
    ? `Mail is set up${details.length === 0 ? ', and none has failed or is overdue' : ', but some was not sent'}.`
    : `Mail is not set up${details.length === 0 ? ': Bili sends no e-mail' : ', and some was not sent'}.`;
  return finding('mail', text, details, overdue > 0 ? 'wrong' : 'note');
}

/** Checks that merchants' servers accept their webhooks. A problem is only a note, because the merchant must solve it. */
export async function examineWebhooks({ db }: Runtime): Promise<Finding> {
  const endpoints = await listEndpoints(db, null);
  const details = endpoints.flatMap((endpoint) =>
    problemsOf(endpoint).map((problem) => `${endpoint.merchant} ${endpoint.environment}: ${problem}`),
  );
  const text = details.length > 0 ? 'Some endpoints do not accept webhooks.' : 'All endpoints accept their webhooks.';
  return finding('webhooks', text, details, 'note');
}

function problemsOf({ status, disabledReason, statusSince, failingSince, failureCount }: Endpoint): string[] {
  const since = statusSince.toISOString();
  if (status === 'paused') return [`paused since ${since}`];
  if (status === 'disabled')
    return [`disabled since ${since}, because ${disabledReason === 'gone' ? 'it answered 410' : 'all attempts failed for a week'}`];
  return failingSince ? [`${failureCount} attempts in a row have failed since ${failingSince.toISOString()}`] : [];
}

/** Lists the merchants that wait for the operator to activate an environment. */
export async function examineActivations({ db }: Runtime): Promise<Finding> {
  const merchants = await listMerchants(db);
  const details = merchants.flatMap(({ slug, profiles }) =>
    profiles.flatMap(({ environment, status, activationRequestedAt: at }) =>
      status === 'pending' && at
        ? [`${slug} ${environment}: asked ${at.toISOString()}; "bili merchant activate --merchant ${slug} --environment ${environment}"`]
        : [],
    ),
  );
  return finding('activations', 'No merchant waits for activation.', details, 'note');
}

/** Lists the live webhook addresses that wait for the operator's approval. */
export async function examineProposals({ db }: Runtime): Promise<Finding> {
  const details = (await listOpenProposals(db)).map(
    ({ merchant, url, proposedAt }) => `${merchant}: ${url}, proposed ${proposedAt.toISOString()}; see "bili webhook proposals"`,
  );
  return finding('proposals', 'No webhook address waits for approval.', details, 'note');
}

/** The number of audit entries of each chain that are checked. Few entries make the check cheap. "bili audit verify" checks all. */
const NEWEST_ENTRIES = 1_000n;
const UNSEALED_MS = 5 * MINUTE_MS;

/** Checks the newest entries of every chain of the audit log, and that no entry stays unsealed for long. */
export async function examineAudit(runtime: Runtime): Promise<Finding[]> {
  const broken: string[] = [];
  const waiting: string[] = [];
  for (const chain of await listChains(runtime.db)) {
    const { broken: problem, tail } = await verifyChain(runtime, { chain, newest: NEWEST_ENTRIES });
    if (problem) broken.push(`${chain}: ${describeBreak(problem, 'en')}`);
    if (tail.oldest && runtime.clock().getTime() - tail.oldest.getTime() > UNSEALED_MS)
      waiting.push(`${chain}: unsealed entries: ${tail.count}, the oldest from ${tail.oldest.toISOString()}; check that a worker runs`);
  }
  return [
    finding('audit_chain', `The newest ${NEWEST_ENTRIES} entries of each chain of the audit log are unchanged.`, broken),
    finding('audit_sealed', 'The audit log is sealed.', waiting, 'note'),
  ];
}
