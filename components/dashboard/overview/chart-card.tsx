import { Card } from '@/components/ui/card';
import { Icon } from '@/components/ui/icon';
import { LazyChart } from './lazy-chart';
import { TableOf } from './table-of';
import type { ChartView } from './view';

/** A chart with what it says in words, and its numbers as a table. */
export function ChartCard({ chart }: { readonly chart: ChartView }) {
  const { kind, title, text, points, open } = chart;
  return (
    <Card id={`chart-${kind}`} title={title}>
      <p className="max-w-prose text-sm text-muted">{text}</p>
      {points.length > 0 && (
        <>
          <div className="mt-4">
            <LazyChart chart={chart} />
          </div>
          <details className="mt-3">
            <summary className="inline-flex min-h-9 cursor-pointer list-none items-center gap-1 font-semibold text-brand">
              {open} <span className="sr-only">{title}</span> <Icon name="down" />
            </summary>
            <div className="mt-2">
              <TableOf {...chart} />
            </div>
          </details>
        </>
      )}
    </Card>
  );
}
