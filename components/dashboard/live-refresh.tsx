'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { useFresh } from './use-fresh';

const EVERY_MS = { quick: 2_000, steady: 3_000, slow: 10_000, rest: 0 } as const;

/** How something stands that a page shows. */
interface Watched {
  /** Changes whenever the page would say something else. */
  readonly version: string;
  readonly pace?: keyof typeof EVERY_MS;
}

interface LiveRefreshProps {
  /** Answers how it stands. */
  readonly address: string;
  /** As the page that is shown knows it. */
  readonly watched: Watched;
}

/** Has the server show the page anew when there is news: React puts in what changed; what is open, typed or scrolled to stays. */
export function LiveRefresh({ address, watched }: LiveRefreshProps) {
  const router = useRouter();
  const { data } = useFresh<Watched>(address, { first: watched, everyMs: ({ pace = 'steady' } = watched) => EVERY_MS[pace], atOnce: true });
  const news = data && data.version !== watched.version ? data.version : null;
  useEffect(() => {
    if (news !== null) router.refresh();
  }, [news, router]);
  return null;
}
