'use client';

import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { chartHeight, PlainChart } from './plain-chart';
import type { ChartView } from './view';

const BarCharts = lazy(() => import('./bar-charts'));

/** How far from the screen a chart is fetched already, pixels. */
const AHEAD = '200px';

/**
 * A chart as plain shapes from the server, which need no JavaScript; once somebody is near it, the same as one that can be
 * explored by pointer and keyboard takes its place and its size.
 */
export function LazyChart({ chart }: { readonly chart: ChartView }) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver((seen) => setNear((was) => was || seen.some(({ isIntersecting }) => isIntersecting)), {
      rootMargin: AHEAD,
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} style={{ height: chartHeight(chart) }}>
      {near ? (
        <Suspense fallback={<PlainChart chart={chart} />}>
          <BarCharts chart={chart} />
        </Suspense>
      ) : (
        <PlainChart chart={chart} />
      )}
    </div>
  );
}
