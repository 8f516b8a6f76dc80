'use client';

import { Component, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { chartHeight, PlainChart } from './plain-chart';
import type { ChartView } from './present-charts';

const BarCharts = lazy(() => import('./bar-charts'));

/** The chart's code is loaded when the chart is this close to the visible area. */
const AHEAD = '200px';

/**
 * A chart that first shows plain shapes from the server, without JavaScript. When it is near the visible area, an interactive chart of the
 * same size replaces it, if its code can be loaded.
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

interface ChartBoundaryProps {
  /** Shown if the children fail. */
  readonly plain: ReactNode;
  readonly children: ReactNode;
}

/** Keeps the plain chart if the code of the interactive one cannot be loaded. In React only a class component can catch that. */
class ChartBoundary extends Component<ChartBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}
