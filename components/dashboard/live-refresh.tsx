'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { usePolling } from './use-polling';

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
