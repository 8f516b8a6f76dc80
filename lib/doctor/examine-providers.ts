import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { countLostNotices } from '@/lib/outages/notice-store';
import { type ListedAccount, listAccounts } from '@/lib/providers/accounts/account-store';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';
import { listMissingProofs, PROOF_TEXTS } from '@/lib/providers/accounts/proof-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';
import { countLapsing, countUnknown, countUnservedMerchants, listUnservedNetworks } from './store';

/** An attempt is reported after this many lost leases in a row. Fewer are not reported, because a database fault can cause them. */
const LAPSES = 3;
const UNKNOWN_FOR_MS = 30 * MINUTE_MS;

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
  const unserved = await listUnservedNetworks(db, now);
  const unknown = await countUnknown(db, addMs(now, -UNKNOWN_FOR_MS));
  const merchants = await countUnservedMerchants(db);
  const lapsing = await countLapsing(db, LAPSES);
  const notices = await countLostNotices(db);
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
        unknown.count > 0 &&
          `unknown attempts: ${unknown.count}, the oldest since ${unknown.oldest?.toISOString()}; see "bili attempt unknown"`,
      ],
      'note',
    ),
    finding('work_ends', 'Workers complete the work on every attempt.', [
      lapsing > 0 && `attempts whose work fails repeatedly: ${lapsing}; see the errors in the log of the workers, and "bili review list"`,
    ]),
    finding(
      'operator_told',
      'OPERATOR_WEBHOOK_URL has accepted every notice.',
      notices.lost > 0 ? [`not accepted: ${notices.lost}; ${notices.lastError}`] : [],
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
