import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { countLostNotices } from '@/lib/outages/notice-store';
import { type ListedAccount, listAccounts } from '@/lib/providers/accounts/account-store';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';
import { countLapsing, countUnknown, countUnservedMerchants, listUnservedNetworks } from './provider-store';

/** Fewer may be a database that was away. */
const LAPSES = 3;
const UNKNOWN_FOR_MS = 30 * MINUTE_MS;

/** Looks at whether providers answer, whether somebody serves what waits, and whether the operator was told. */
export async function examineProviders({ db, clock, settings }: Runtime): Promise<Finding[]> {
  const now = clock();
  const accounts = (await listAccounts(db)).filter(({ disabledAt }) => disabledAt === null);
  const unserved = await listUnservedNetworks(db, now);
  const unknown = await countUnknown(db, addMs(now, -UNKNOWN_FOR_MS));
  const merchants = await countUnservedMerchants(db);
  const lapsing = await countLapsing(db, LAPSES);
  const notices = await countLostNotices(db);
  return [
    finding('providers_answer', 'The provider of every account answers.', accounts.flatMap(outageOf)),
    finding(
      'networks_served',
      'An account serves every network that live prompts wait for.',
      unserved.map(
        ({ network, merchant, count, since }) => `${network}: ${count} of ${merchant} since ${since.toISOString()}; "bili provider list"`,
      ),
    ),
    finding(
      'live_served',
      'Every active merchant can be paid in live.',
      merchants > 0 ? [`no account at a provider serves ${merchants} of them: "bili provider add --environment live"`] : [],
      // On this machine alone nobody pays in live.
      settings.defaultBaseUrls ? 'note' : 'wrong',
    ),
    finding(
      'unknown_prompts',
      'No prompt has been unknown for half an hour.',
      unknown.count > 0 ? [`${unknown.count} since ${unknown.oldest?.toISOString()}; "bili attempt unknown"`] : [],
      'note',
    ),
    finding(
      'work_ends',
      'Work on every prompt comes to its end.',
      lapsing > 0 ? [`it fails again and again for ${lapsing}: see the errors in the log of the workers, and "bili review list"`] : [],
    ),
    finding(
      'operator_told',
      'OPERATOR_WEBHOOK_URL has taken every notice.',
      notices.lost > 0 ? [`not taken: ${notices.lost}; ${notices.lastError}`] : [],
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
