import { overruledTls } from '@/lib/config/certificate-checks';
import { missingProxies } from '@/lib/config/missing-proxies';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { CLOCKS_APART_MS } from '@/lib/db/watch-clock';
import { listCheckResults } from '@/lib/payments/ledger/check-store';
import { countUnmatched } from '@/lib/payments/ledger/listing-store';
import { verifyLedger } from '@/lib/payments/ledger/verify-ledger';
import { type ListedAccount, listAccounts } from '@/lib/providers/accounts/account-store';
import { openAccount } from '@/lib/providers/accounts/accounts';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { listReviews } from '@/lib/reviews/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { examineDatabase, examineSchema } from './examine-database';
import { examineProviders } from './examine-providers';
import { examineSearch } from './examine-search';
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
import { findDoubledReceipts, findOldestDue, readServerFacts } from './store';

interface Needs extends Runtime {
  readonly providers: ProviderRegistry;
  /** If true, the ledger is not checked: only the result of the workers' last checks is reported. */
  readonly quick?: boolean;
}

const OLDEST_POSTGRES = 140_000;
const WAITING_MS = 2 * MINUTE_MS;
/** The complete check of the ledger runs every night, and may take hours. */
const CHECK_LATE_MS = 36 * HOUR_MS;

/** Maximum number of unmatched payments that are counted. */
const MAX_COUNT = 1_000;
/** Maximum number of receipt numbers that are listed. */
const MAX_RECEIPTS = 5;

const CHECKS: readonly { readonly name: string; readonly examine: (runtime: Needs) => Promise<Finding | Finding[]> }[] = [
  { name: 'server', examine: examineServer },
  { name: 'database', examine: examineDatabase },
  { name: 'tables', examine: examineSchema },
  { name: 'workers', examine: examineWorkers },
  { name: 'processes', examine: examineProcesses },
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
  const waits = due !== null && now.getTime() - due.getTime() > WAITING_MS;
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
  const receipts = await findDoubledReceipts(runtime.db, MAX_RECEIPTS);
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
    return [`its credentials cannot be decrypted, perhaps because SECRET_KEY has changed since account ${account.id} was added`];
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

async function examineReviews({ db }: Needs): Promise<Finding> {
  const { length } = await listReviews(db, { all: false });
  const text = length > 0 ? 'Some reviews wait for a decision.' : 'No review waits for a decision.';
  return finding('reviews', text, length > 0 ? [`${length} open; see "bili review list"`] : [], 'note');
}

async function examineUnmatched({ db }: Needs): Promise<Finding> {
  const count = await countUnmatched(db, MAX_COUNT + 1);
  const payments = count > MAX_COUNT ? `more than ${MAX_COUNT}` : count;
  const text = count > 0 ? 'Some payments are unmatched.' : 'All payments are matched.';
  return finding('unmatched', text, count > 0 ? [`unmatched payments: ${payments}; see "bili payment unmatched"`] : [], 'note');
}
