'use client';

import type { ReactNode } from 'react';
import { SECOND_MS } from '@/lib/core/clock';
import { usePolling } from '../use-polling';
import { AttentionCard } from './attention-card';
import { Figures } from './figures';
import { Guide } from './guide';
import type { OverviewView } from './present-overview';

const REFRESH_MS = 30 * SECOND_MS;

interface LiveOverviewProps {
  readonly first: OverviewView;
  readonly address: string;
  /** The links that choose the period. */
  readonly children: ReactNode;
}

/** The overview. It refreshes itself every 30 seconds while the page is visible. */
export function LiveOverview({ first, address, children }: LiveOverviewProps) {
  const { data = first, error } = usePolling(address, { first, everyMs: REFRESH_MS, immediately: false });
  const guide = data.guide && <Guide {...data.guide} />;
  // A new merchant sees the first steps first, unless there is a problem. Later the figures come first.
  const begins = data.figures === null && (data.attention?.items.length ?? 0) === 0;
  return (
    <>
      <p className="-mt-3 text-sm text-muted">{error ? data.notUpdated : data.updated}</p>
      {begins && guide}
      {data.attention && <AttentionCard {...data.attention} />}
      {data.figures && <Figures {...data.figures}>{children}</Figures>}
      {!begins && guide}
    </>
  );
}
