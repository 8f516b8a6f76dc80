'use client';

import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ChartBoundary } from './chart-boundary';
import { chartHeight, PlainChart } from './plain-chart';
import type { ChartView } from './view';

const BarCharts = lazy(() => import('./bar-charts'));

/** How far from the screen a chart is fetched already, pixels. */
const AHEAD = '200px';

/**
 * A chart as plain shapes from the server, which need no JavaScript; once somebody is near it, the same as one that can be
 * explored by pointer and keyboard takes its place and its size, if its code comes.
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
  const plain = <PlainChart chart={chart} />;
  return (
    <div ref={place} style={{ height: chartHeight(chart) }}>
      {near ? (
        <ChartBoundary plain={plain}>
          <Suspense fallback={plain}>
            <BarCharts chart={chart} />
          </Suspense>
        </ChartBoundary>
      ) : (
        plain
      )}
    </div>
  );
}
