'use client';

import type { ReactNode } from 'react';
import useSWR, { SWRConfig } from 'swr';
import { SECOND_MS } from '@/lib/core/clock';
import { AttentionCard } from './attention-card';
import { Figures } from './figures';
import { Guide } from './guide';
import type { OverviewView } from './view';

const REFRESH_MS = 30 * SECOND_MS;

interface LiveOverviewProps {
  readonly first: OverviewView;
  /** Where it is read again. */
  readonly address: string;
  /** What chooses the period. */
  readonly children: ReactNode;
}

/** The overview as the page's server made it, read again twice a minute while somebody can see it. */
export function LiveOverview(props: LiveOverviewProps) {
  // A memory of its own: what an earlier visit has left behind is older than what the page brought.
  return (
    <SWRConfig value={{ provider: () => new Map() }}>
      <Refreshed {...props} />
    </SWRConfig>
  );
}

function Refreshed({ first, address, children }: LiveOverviewProps) {
  const { data = first, error } = useSWR(address, read, {
    fallbackData: first,
    revalidateOnMount: false,
    refreshInterval: REFRESH_MS,
    shouldRetryOnError: false,
  });
  const guide = data.guide && <Guide {...data.guide} />;
  // Where there is nothing yet, what to do comes first, unless something is wrong.
  const begins = data.figures === null && data.attention.items.length === 0;
  return (
    <>
      <p className="-mt-3 text-sm text-muted">{error ? data.notUpdated : data.updated}</p>
      {begins && guide}
      <AttentionCard {...data.attention} />
      {!begins && guide}
      {data.figures && <Figures {...data.figures}>{children}</Figures>}
    </>
  );
}

async function read(address: string): Promise<OverviewView> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}
