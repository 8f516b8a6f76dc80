import { useState } from 'react';
import useSWR from 'swr';
import { announceSessionEnd } from '@/components/ui/forms/line';

interface FreshOptions<Data> {
  /** What the page brought; without it, nothing is known until the first answer. */
  readonly first?: Data;
  /** 0 for not by itself. */
  readonly everyMs: number | ((latest: Data | undefined) => number);
  /** Whether to ask at once: what a browser goes back to may be older than it looks. */
  readonly atOnce: boolean;
}

/**
 * What an address answers, asked for again while somebody can see the page, and when they come back to it. After a failure it is asked
 * for ever more rarely. @param address null where nothing is asked.
 */
export function useFresh<Data>(address: string | null, { first, everyMs, atOnce }: FreshOptions<Data>) {
  // A memory of its own: what an earlier visit has left behind may be older than what the page brought.
  const [visit] = useState(() => Math.random());
  return useSWR<Data, Error>(address && [address, visit], readJson, {
    ...(first !== undefined && { fallbackData: first }),
    refreshInterval: everyMs,
    revalidateOnMount: atOnce,
  });
}

async function readJson([address]: readonly [string, number]) {
  const answer = await fetch(address, { cache: 'no-store', headers: { accept: 'application/json' } });
  if (answer.status === 401) announceSessionEnd({ asked: false });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}
