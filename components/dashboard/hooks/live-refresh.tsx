'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import useSWR from 'swr';

const EVERY_MS = 3_000;

interface LiveRefreshProps {
  /** Answers the page's stamp. */
  readonly address: string;
  /** The stamp of what the page shows. */
  readonly stamp: string;
}

/** Loads the page's data anew when there is something new: what is open, typed or scrolled to stays. Rests while nobody looks. */
export function LiveRefresh({ address, stamp }: LiveRefreshProps) {
  const router = useRouter();
  const { data } = useSWR(address, askStamp, { refreshInterval: EVERY_MS, fallbackData: stamp, shouldRetryOnError: false });
  useEffect(() => {
    if (data !== null && data !== stamp) router.refresh();
  }, [data, stamp, router]);
  return null;
}

async function askStamp(address: string): Promise<string | null> {
  const answer = await fetch(address, { headers: { accept: 'application/json' } });
  if (!answer.ok) return null;
  const { stamp }: { stamp: string } = await answer.json();
  return stamp;
}
