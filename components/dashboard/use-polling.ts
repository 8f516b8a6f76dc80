import { useState } from 'react';
import useSWR from 'swr';
import { announceSessionEnd } from '@/components/ui/forms/connection';

interface PollingOptions<Data> {
  /** The data that came with the page. Without it, there is no data until the first answer. */
  readonly first?: Data;
  /** The interval in milliseconds; 0 for no polling. */
  readonly everyMs: number | ((latest: Data | undefined) => number);
  /** Whether to request at once. After going back in the history, the page may be older than it looks. */
  readonly immediately: boolean;
}

/**
 * Polls an address while the page is visible, and when it becomes visible again. After failures it polls less often. `address` is null if
 * nothing is requested.
 */
export function usePolling<Data>(address: string | null, { first, everyMs, immediately }: PollingOptions<Data>) {
  // A cache key per visit: an earlier visit may have cached older data than the page contains.
  const [visit] = useState(() => Math.random());
  return useSWR<Data, Error>(address && [address, visit], readJson, {
    ...(first !== undefined && { fallbackData: first }),
    refreshInterval: everyMs,
    revalidateOnMount: immediately,
  });
}

async function readJson([address]: readonly [string, number]) {
  const answer = await fetch(address, { cache: 'no-store', headers: { accept: 'application/json' } });
  if (answer.status === 401) announceSessionEnd({ asked: false });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}
