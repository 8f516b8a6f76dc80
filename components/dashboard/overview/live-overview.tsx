'use client';

import { SECOND_MS } from '@/lib/core/clock';
import { usePolling } from '../use-polling';
import { ActivationCard } from './activation-card';
import { AttentionCard } from './attention-card';
import { Figures } from './figures';
import { Guide } from './guide';
import type { OverviewView } from './present-overview';

const REFRESH_MS = 30 * SECOND_MS;

interface LiveOverviewProps {
  readonly first: OverviewView;
  readonly address: string;
  readonly hideAction: (form: FormData) => Promise<void>;
  readonly requestAction: (form: FormData) => Promise<void>;
}

/** The overview. It refreshes itself every 30 seconds while the page is visible. */
export function LiveOverview({ first, address, hideAction, requestAction }: LiveOverviewProps) {
  const { data = first, error } = usePolling(address, { first, everyMs: REFRESH_MS, immediately: false });
  // True until the first bill exists, unless something needs attention. If true, the guide with the first steps is at the top. If false,
  // the guide is folded and at the end.
  const begins = data.figures === null && (data.attention?.items.length ?? 0) === 0;
  const guide = data.guide && <Guide {...data.guide} folded={!begins} hideAction={hideAction} />;
  const updated = error ? data.notUpdated : data.updated;
  return (
    <>
      {data.activation && <ActivationCard {...data.activation} requestAction={requestAction} />}
      {begins && guide}
      {data.attention ? (
        <AttentionCard {...data.attention} updated={updated} late={error !== undefined} />
      ) : (
        <p className="text-small text-muted">{updated}</p>
      )}
      {data.figures && <Figures {...data.figures} />}
      {!begins && guide}
    </>
  );
}
