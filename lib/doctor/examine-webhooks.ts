import type { Runtime } from '@/lib/runtime/runtime';
import { type Endpoint, listEndpoints } from '@/lib/webhooks/endpoint/endpoint-store';
import { type Finding, finding } from './finding';

/** Looks at whether merchants' servers take their webhooks. One that does not is its merchant's concern, and a note here. */
export async function examineWebhooks({ db }: Runtime): Promise<Finding> {
  const endpoints = await listEndpoints(db, null);
  const details = endpoints.flatMap((endpoint) =>
    troubleOf(endpoint).map((trouble) => `${endpoint.merchant} ${endpoint.environment}: ${trouble}`),
  );
  const text = details.length > 0 ? 'Some webhooks are not taken.' : 'Every server that webhooks go to takes them.';
  return finding('webhooks', text, details, 'note');
}

function troubleOf({ status, disabledReason, statusSince, failingSince, failureCount }: Endpoint): string[] {
  const since = statusSince.toISOString();
  if (status === 'paused') return [`paused since ${since}`];
  if (status === 'disabled')
    return [`disabled since ${since}, because ${disabledReason === 'gone' ? 'it answered 410' : 'it only failed for a week'}`];
  return failingSince ? [`${failureCount} attempts failed in a row, since ${failingSince.toISOString()}`] : [];
}
