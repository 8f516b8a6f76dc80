'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { reportIncident, reportPoll } from '@/components/ui/forms/connection';

const EVERY_MS = { quick: 2_000, steady: 3_000, slow: 10_000, rest: 0 } as const;

/** The version of what a page shows. */
interface Watched {
  /** Changes whenever the content of the page would change. */
  readonly version: string;
  readonly pace?: keyof typeof EVERY_MS;
}

interface LiveRefreshProps {
  /** The address that returns the version of the current data. The page is refreshed if this version differs from the one in `watched`. */
  readonly address: string;
  /** The version of the page that is shown. */
  readonly watched: Watched;
}

/** Refreshes the page when its version has changed. React replaces only what changed, so that typed values and the scroll position stay. */
export function LiveRefresh({ address, watched }: LiveRefreshProps) {
  const router = useRouter();
  const { data } = usePolling<Watched>(address, {
    first: watched,
    everyMs: ({ pace = 'steady' } = watched) => EVERY_MS[pace],
    immediately: true,
  });
  const news = data && data.version !== watched.version ? data.version : null;
  useEffect(() => {
    if (news !== null) router.refresh();
  }, [news, router]);
  return null;
}

interface PollingOptions<Data> {
  /** The data that came with the page. Without it, there is no data until the first answer. */
  readonly first?: Data;
  /** The interval in milliseconds; 0 for no polling. */
  readonly everyMs: number | ((latest: Data | undefined) => number);
  /** Whether to send the first request at once. Needed because the browser's Back button may show an old copy of the page. */
  readonly immediately: boolean;
  /** Whether to poll also while the page is in the background. */
  readonly hidden?: boolean;
}

/**
 * Polls an address while the page is visible, and at once when it becomes visible again. With `hidden`, polls also in the background. After
 * failures it polls less often. If `address` is null, it sends no requests.
 */
export function usePolling<Data>(address: string | null, { first, everyMs, immediately, hidden = false }: PollingOptions<Data>) {
  // Each visit of a page has its own cache key. With one key, SWR would show data of an earlier visit, which may be older than the page.
  const [visit] = useState(() => Math.random());
  return useSWR<Data, Error>(address && [address, visit], readJson, {
    ...(first !== undefined && { fallbackData: first }),
    refreshInterval: everyMs,
    revalidateOnMount: immediately,
    refreshWhenHidden: hidden,
    // Polls although the device is offline, because a failed poll makes the page show that its data is old.
    refreshWhenOffline: true,
  });
}

async function readJson([address]: readonly [string, number]) {
  const answer = await ask(address);
  reportPoll(answer.status < 500);
  if (answer.status === 401) reportIncident({ trouble: 'ended', again: null, repeatable: false });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}

async function ask(address: string): Promise<Response> {
  try {
    return await fetch(address, { cache: 'no-store', headers: { accept: 'application/json' } });
  } catch (error) {
    // A failure on a hidden page is not reported: the browser cancels the requests of a page that is being left.
    if (document.visibilityState === 'visible') reportPoll(false);
    throw error;
  }
}
