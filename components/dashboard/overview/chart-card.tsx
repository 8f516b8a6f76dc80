import { Card } from '@/components/ui/card';
import { Fold } from '@/components/ui/fold';
import { LazyChart } from './lazy-chart';
import { TableOf } from './table-of';
import type { ChartView } from './view';

/** A chart with a text, and its numbers as a table. */
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
          <Fold title={open} about={title} className="mt-3">
            <div className="mt-2">
              <TableOf {...chart} />
            </div>
          </Fold>
        </>
      )}
    </Card>
  );
}
