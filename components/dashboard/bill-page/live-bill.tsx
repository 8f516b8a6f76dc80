'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import useSWR from 'swr';
import type { Pace, Watched } from '@/lib/bills/watch-bill';

const EVERY_MS: Readonly<Record<Pace, number>> = { quick: 2_000, slow: 10_000, rest: 0 };

interface LiveBillProps {
  /** Where to ask how the bill stands. */
  readonly url: string;
  /** As the page that is shown knows it. */
  readonly watched: Watched;
}

/** Gone, or signed out: nothing will come any more. */
async function ask(url: string): Promise<Watched | null> {
  const answer = await fetch(url, { cache: 'no-store' });
  return answer.ok ? answer.json() : null;
}

/**
 * Has the server show the page anew when there is news: React puts in what changed, and what somebody opened or typed stays.
 * Nothing is asked while the page is hidden, nor by itself once nothing is expected.
 */
export function LiveBill({ url, watched }: LiveBillProps) {
  const router = useRouter();
  const { data } = useSWR(url, ask, {
    fallbackData: watched,
    refreshInterval: (latest) => (latest ? EVERY_MS[latest.pace] : 0),
    shouldRetryOnError: false,
  });
  const news = data && data.version !== watched.version ? data.version : null;
  useEffect(() => {
    if (news !== null) router.refresh();
  }, [news, router]);
  return null;
}
