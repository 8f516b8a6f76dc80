import { correctedAmount } from '@/lib/gateway/ledger/balance-store';
import { listCheckResults } from '@/lib/gateway/ledger/check-store';
import { countUnmatched } from '@/lib/gateway/ledger/listing-store';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { listReviews } from '@/lib/gateway/reviews/store';
import { overruledTls } from '@/lib/platform/config/certificate-checks';
import { missingProxies } from '@/lib/platform/config/missing-proxies';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { payment, providerAccount } from '@/lib/platform/db/generated/tables';
import { int4, pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { CLOCKS_APART_MS } from '@/lib/platform/db/watch-clock';
import { readHold } from '@/lib/platform/hold/hold-store';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type ListedAccount, listAccounts, openAccount } from '@/lib/providers/accounts/account-store';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { examineBackups } from './examine-backups';
import { examineDatabase, examineHold, examineSchema, examineSearch } from './examine-database';
import { examineKeys } from './examine-keys';
import { examineProviders } from './examine-providers';
import {
  examineActivations,
  examineAudit,
  examineMail,
  examineMessages,
  examineProcesses,
  examineProposals,
  examineWebhooks,
} from './examine-work';
import { type Finding, finding } from './finding';
import { findOldestDue, readServerFacts } from './store';

interface Needs extends Runtime {
  readonly providers: ProviderRegistry;
  /** If true, nothing reads all payments: the results of the workers' last checks are reported. */
  readonly quick?: boolean;
}

const OLDEST_POSTGRES = 140_000;
const WAITING_MS = 2 * MINUTE_MS;
/** The complete check of the ledger runs every night, and may take hours. */
const CHECK_LATE_MS = 36 * HOUR_MS;

/** Maximum number of unmatched payments that are counted. */
const MAX_COUNT = 1_000;
const MAX_RECEIPTS = 5;

/** Lists the newest receipt numbers that several tills of one provider have. Payments that were corrected to 0 do not count. */
const FIND_DOUBLED_RECEIPTS = statement({
  name: 'find receipt numbers in several tills',
  text: `SELECT t.provider, t.environment, p.provider_transaction_id AS receipt, count(*)::int AS payments
         FROM payment p JOIN provider_account t ON t.id = p.till_id
         WHERE p.kind = 'payment' AND p.source = 'provider' AND ${correctedAmount('p')} > 0
         GROUP BY 1, 2, 3 HAVING count(*) > 1 ORDER BY max(p.id::text) DESC LIMIT $limit::int`,
  parameters: { limit: int4 },
  columns: { ...pick(providerAccount, 'provider environment'), receipt: payment.providerTransactionId, payments: int4 },
});

const CHECKS: readonly { readonly name: string; readonly examine: (runtime: Needs) => Promise<Finding | Finding[]> }[] = [
  { name: 'server', examine: examineServer },
  { name: 'database', examine: examineDatabase },
  { name: 'tables', examine: examineSchema },
  { name: 'hold', examine: examineHold },
  { name: 'workers', examine: examineWorkers },
  { name: 'processes', examine: examineProcesses },
  { name: 'keys', examine: examineKeys },
  { name: 'messages', examine: examineMessages },
  { name: 'accounts', examine: examineAccounts },
  { name: 'providers', examine: examineProviders },
  { name: 'ledger', examine: examineLedger },
  { name: 'ledger_checks', examine: examineChecks },
  { name: 'reviews', examine: examineReviews },
  { name: 'unmatched_money', examine: examineUnmatched },
  { name: 'mail', examine: examineMail },
  { name: 'webhooks', examine: examineWebhooks },
  { name: 'activations', examine: examineActivations },
  { name: 'proposals', examine: examineProposals },
  { name: 'audit', examine: examineAudit },
  { name: 'search', examine: examineSearch },
  { name: 'backups', examine: examineBackups },
  { name: 'proxies', examine: examineProxies },
  { name: 'tls', examine: examineTls },
];

/**
 * Checks everything that payments depend on: server, tables, workers, accounts and every sum of the ledger. Changes nothing.
 * A check that throws is a finding, too.
 */
export async function examine(runtime: Needs): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, examine: check } of CHECKS) {
    try {
      findings.push(...[await check(runtime)].flat());
    } catch (error) {
      findings.push(
        finding(`${name}_examined`, `The check of ${name} ran without an error.`, [error instanceof Error ? error.message : String(error)]),
      );
    }
  }
  return findings;
}

async function examineProxies({ settings }: Needs): Promise<Finding> {
  const missing = missingProxies(settings);
  return finding(
    'proxies',
    'The addresses of visitors are known, because all proxies in front are trusted.',
    missing === null ? [] : [missing],
  );
}

async function examineServer({ db, clock }: Needs): Promise<Finding[]> {
  const { version, now } = await readServerFacts(db);
  const apart = Math.abs(now.getTime() - clock().getTime());
  return [
    finding('postgres_version', 'PostgreSQL is 14 or later.', version < OLDEST_POSTGRES ? [`server_version_num is ${version}`] : []),
    finding(
      'clocks_agree',
      'The clocks of this machine and of the database agree.',
      apart > CLOCKS_APART_MS ? [`they are ${Math.round(apart / SECOND_MS)} seconds apart: synchronize both with NTP`] : [],
    ),
  ];
}

async function examineWorkers({ db, clock }: Needs): Promise<Finding> {
  const now = clock();
  const due = await findOldestDue(db, now);
  const waits = due !== null && now.getTime() - due.getTime() > WAITING_MS && (await readHold(db)) === null;
  return finding(
    'workers_work',
    'Workers do all work in time.',
    waits ? [`work waits since ${due.toISOString()}: check that a worker runs`] : [],
  );
}

async function examineAccounts(runtime: Needs): Promise<Finding[]> {
  const used = (await listAccounts(runtime.db)).filter(({ disabledAt }) => disabledAt === null);
  const ofTill = Map.groupBy(
    used.filter(({ tillIdentity }) => tillIdentity !== null),
    ({ environment, provider, tillIdentity }) => `${provider} (${environment}), ${tillIdentity}`,
  );
  const shared = [...ofTill].filter(([, accounts]) => new Set(accounts.map(({ merchantId }) => merchantId)).size > 1);
  const receipts = runtime.quick ? [] : await FIND_DOUBLED_RECEIPTS.rows(runtime.db, { limit: MAX_RECEIPTS });
  return [
    finding(
      'accounts_usable',
      'The credentials of every provider account can be read and are complete.',
      used.flatMap((account) => accountProblems(runtime, account).map((text) => `${account.label}: ${text}`)),
    ),
    finding(
      'tills_separate',
      'No two owners have accounts for the same till of a provider.',
      shared.map(
        ([till, accounts]) =>
          `${till}: ${accounts.map(({ label, merchant, id }) => `${label} of ${merchant ?? 'the operator'} (${id})`).join(', ')}; each payment may be booked twice: disable all but one`,
      ),
    ),
    finding(
      'receipts_in_one_till',
      'No receipt number of a provider is in the ledger twice.',
      receipts.map(
        ({ provider, environment, receipt, payments }) =>
          `${provider} (${environment}): receipt ${receipt} is in ${payments} tills; if it is one payment, correct the other to 0; see "bili payment show ${receipt}"`,
      ),
      'note',
    ),
  ];
}

function accountProblems(runtime: Needs, account: ListedAccount): readonly string[] {
  const adapter = runtime.providers.find(account.provider);
  if (!adapter) return [`this version does not know the provider ${account.provider}`];
  let credentials: string | null;
  try {
    ({ credentials } = openAccount(runtime, account));
  } catch {
    return [`the credentials of account ${account.id} cannot be decrypted with the master keys of this command; see "bili secrets list"`];
  }
  return adapter.checkCredentials(credentials, account.environment);
}

async function examineLedger({ db, quick = false }: Needs): Promise<Finding[]> {
  if (quick) return [];
  return (await verifyLedger(db)).map(({ name, holds, count, first }) =>
    finding(name, holds, [
      ...first.map(({ subject, detail }) => `${subject}: ${detail}`),
      ...(count > first.length ? [`and ${count - first.length} more`] : []),
    ]),
  );
}

async function examineTls(): Promise<Finding> {
  const overruled = overruledTls().map((setting) => `${setting} is ignored: remove it from the environment`);
  return finding('tls_checks', 'Nothing in the environment weakens TLS.', overruled, 'note');
}

/** Reports the results of the checks of the ledger and the audit log that the workers share. */
async function examineChecks({ db, clock, quick = false }: Needs): Promise<Finding> {
  const results = await listCheckResults(db);
  const complete = results.find(({ kind }) => kind === 'complete');
  const broken = results
    .filter(({ kind }) => kind !== 'unmatched')
    .flatMap(({ kind, endedAt, broken: rules }) =>
      rules.map(({ name, count, first: [first] }) => {
        const example = first ? `, for example ${first.subject}: ${first.detail}` : '';
        return `the ${kind} check that ended at ${endedAt.toISOString()} found ${count} violations of ${name}${example}`;
      }),
    );
  const late = !complete || clock().getTime() - complete.endedAt.getTime() > CHECK_LATE_MS;
  const text = complete
    ? `The last complete check of the ledger by the workers ended at ${complete.endedAt.toISOString()} after ${Math.ceil(complete.tookMs / SECOND_MS)} s.`
    : 'The workers have not completed a check of the ledger yet.';
  // Without --quick, this command has checked the ledger itself, and the violations may be corrected by now.
  return finding(
    'ledger_checked',
    text,
    [...broken, late && 'none has ended in the last 36 hours: check that a worker runs'],
    broken.length > 0 && quick ? 'wrong' : 'note',
  );
}

/** Returns the number of unmatched payments that the workers have found last. */
async function lastUnmatched(db: Runtime['db']): Promise<number> {
  const results = await listCheckResults(db);
  return results.find(({ kind }) => kind === 'unmatched')?.broken[0]?.count ?? 0;
}

async function examineReviews({ db }: Needs): Promise<Finding> {
  const { length } = await listReviews(db, { all: false });
  const text = length > 0 ? 'Some reviews wait for a decision.' : 'No review waits for a decision.';
  return finding('reviews', text, length > 0 ? [`${length} open; see "bili review list"`] : [], 'note');
}

async function examineUnmatched({ db, quick = false }: Needs): Promise<Finding> {
  const count = quick ? await lastUnmatched(db) : await countUnmatched(db, MAX_COUNT + 1);
  const payments = count > MAX_COUNT ? `more than ${MAX_COUNT}` : count;
  const text = count > 0 ? 'Some payments are unmatched.' : 'All payments are matched.';
  return finding(
    'unmatched',
    text,
    count > 0 ? [`unmatched payments${quick ? ' of the last week' : ''}: ${payments}; see "bili payment unmatched"`] : [],
    'note',
  );
}
