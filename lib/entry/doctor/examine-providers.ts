import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { merchant, pushAttempt } from '@/lib/platform/db/generated/tables';
import { int4, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type ListedAccount, listAccounts } from '@/lib/providers/accounts/account-store';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';
import { listMissingProofs, PROOF_TEXTS } from '@/lib/providers/accounts/history-store';
import { type Finding, finding } from './finding';

/** An attempt is reported after this many lost leases in a row. Fewer are not reported, because a database fault can cause them. */
const LAPSES = 3;
const UNKNOWN_FOR_MS = 30 * MINUTE_MS;

/** Lists the networks of queued live attempts that no account serves. `merchant` is the slug of the merchant. */
const LIST_UNSERVED_NETWORKS = statement({
  name: 'list unserved networks',
  text: `SELECT a.network, m.slug AS merchant, count(*)::int AS count, min(a.created_at) AS since
         FROM push_attempt a JOIN merchant m ON m.id = a.merchant_id
         WHERE a.due_at IS NOT NULL AND a.call_account_id IS NULL AND a.state = 'QUEUED' AND a.environment = 'live' AND a.created_at <= $now
           AND NOT EXISTS (SELECT 1 FROM provider_account p WHERE p.environment = a.environment AND p.disabled_at IS NULL
             AND (p.merchant_id = a.merchant_id OR p.merchant_id IS NULL) AND a.network = ANY (p.networks))
         GROUP BY a.network, m.slug ORDER BY 4 LIMIT 20`,
  parameters: { now: timestamptz },
  columns: { network: pushAttempt.network, merchant: merchant.slug, count: int4, since: timestamptz },
});

/** Counts the active live merchants for whom there is no provider account, neither their own nor one of the operator. */
const COUNT_UNSERVED_MERCHANTS = statement({
  name: 'count unserved merchants',
  text: `SELECT count(*)::int AS count FROM merchant_profile f WHERE f.environment = 'live' AND f.status = 'active'
           AND NOT EXISTS (SELECT 1 FROM provider_account p WHERE p.environment = 'live' AND p.disabled_at IS NULL
             AND (p.merchant_id = f.merchant_id OR p.merchant_id IS NULL))`,
  columns: { count: int4 },
});

/**
 * Checks that providers answer, that an account serves every live attempt, that attempts settle, and that the operator's own webhook
 * address (OPERATOR_WEBHOOK_URL) has accepted every notice.
 */
export async function examineProviders({ db, clock, settings }: Runtime): Promise<Finding[]> {
  const now = clock();
  const accounts = (await listAccounts(db)).filter(({ disabledAt }) => disabledAt === null);
  const live = accounts.filter(({ environment }) => environment === 'live');
  const missing = await listMissingProofs(
    db,
    live.map(({ id }) => id),
  );
  const unserved = await LIST_UNSERVED_NETWORKS.rows(db, { now });
  const { pushAttempt: attempts } = db.prisma;
  const unknown = await attempts.aggregate({
    where: { state: 'UNKNOWN', unknownSince: { lt: addMs(now, -UNKNOWN_FOR_MS) } },
    _count: true,
    _min: { unknownSince: true },
  });
  const merchants = (await COUNT_UNSERVED_MERCHANTS.first(db, {}))?.count ?? 0;
  const lapsing = await attempts.count({ where: { dueAt: { not: null }, lapsedLeases: { gte: LAPSES } } });
  const { _count: lost, _max: last } = await db.prisma.operatorNotice.aggregate({
    where: { lastError: { not: null } },
    _count: true,
    _max: { lastError: true },
  });
  return [
    finding('providers_answer', 'The provider of every account answers.', accounts.flatMap(outageOf)),
    finding(
      'providers_accept',
      'No provider refuses the owner of an account.',
      accounts.flatMap((account) => refusalOf(account, now)),
    ),
    finding(
      'accounts_proven',
      'The history of every live account shows that each kind of outcome is handled.',
      live.map(({ id, label }) => {
        const texts = (missing.get(id) ?? []).map((proof) => PROOF_TEXTS[proof]);
        return texts.length > 0 && `${label} (${id}) is unproven: its history does not contain ${texts.join(', ')}`;
      }),
      'note',
    ),
    finding(
      'networks_served',
      'An account serves the network of every queued live attempt.',
      unserved.map(
        ({ network, merchant, count, since }) =>
          `${network}: waiting attempts of ${merchant}: ${count}, the oldest since ${since.toISOString()}; see "bili provider list"`,
      ),
    ),
    finding(
      'live_served',
      'Every active merchant can get payments in live.',
      merchants > 0 ? [`merchants without a provider account: ${merchants}; run "bili provider add --environment live"`] : [],
      // With the default base addresses, only this machine can reach the installation, so nobody pays in live. A missing account is only a
      // note then.
      settings.defaultBaseUrls ? 'note' : 'wrong',
    ),
    finding(
      'unknown_prompts',
      'No attempt has been unknown for more than half an hour.',
      [
        unknown._count > 0 &&
          `unknown attempts: ${unknown._count}, the oldest since ${unknown._min.unknownSince?.toISOString()}; see "bili attempt unknown"`,
      ],
      'note',
    ),
    finding('work_ends', 'Workers complete the work on every attempt.', [
      lapsing > 0 && `attempts whose work fails repeatedly: ${lapsing}; see the errors in the log of the workers, and "bili review list"`,
    ]),
    finding(
      'operator_told',
      'OPERATOR_WEBHOOK_URL has accepted every notice.',
      lost > 0 ? [`not accepted: ${lost}; ${last.lastError}`] : [],
      'note',
    ),
  ];
}

function outageOf({ id, label, environment, networks, downSince, lastSuccessAt, failures, lastError }: ListedAccount): string[] {
  if (downSince === null && failures < BREAKER_FAILURES) return [];
  const answered = lastSuccessAt === null ? 'it has never answered' : `it answered last at ${lastSuccessAt.toISOString()}`;
  const since = downSince === null ? '' : ` since ${downSince.toISOString()}`;
  return [`${label} (${environment}, ${networks.join(', ')}, ${id}) does not answer${since}: ${lastError ?? 'no answer'}; ${answered}`];
}

function refusalOf(
  { id, label, environment, networks, refusals, avoidUntil, refusedSince, lastRefusal }: ListedAccount,
  now: Date,
): string[] {
  const suspended = avoidUntil !== null && avoidUntil > now;
  if (refusals === 0 || (refusedSince === null && !suspended)) return [];
  const since = refusedSince === null ? '' : ` since ${refusedSince.toISOString()}`;
  return [
    `${label} (${environment}, ${networks.join(', ')}, ${id}) is refused${since}: ${lastRefusal ?? 'no reason known'}; see "bili provider test ${id}", and replace wrong credentials with "bili provider update"`,
  ];
}
