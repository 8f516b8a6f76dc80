import type { Runtime } from '@/lib/runtime/runtime';
import { type Endpoint, listEndpoints } from '@/lib/webhooks/endpoint/endpoint-store';
import { type Finding, finding } from './finding';

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
