import type { ReactNode } from 'react';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { Card } from '@/components/ui/layout';
import { Cell, Row, Table } from '@/components/ui/table';
import { LazyChart } from './lazy-chart';
import type { ChartView, TableView } from './present-charts';
import type { IntervalView } from './present-intervals';
import type { FiguresView } from './present-overview';

/** The figures of the current intervals and of the chosen period. `children` are the links that choose the period. */
export function Figures({ intervals, periodTotal, periodFacts, charts, children }: FiguresView & { readonly children: ReactNode }) {
  return (
    <>
      <div className="grid gap-4 md:grid-cols-3">
        {intervals.map((interval) => (
          <IntervalCard key={interval.interval} {...interval} />
        ))}
      </div>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-bold">{periodTotal}</h2>
        {children}
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {periodFacts.map(({ term, value }) => (
          <div key={term}>
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-4 xl:grid-cols-2">
        {charts.map((chart) => (
          <div key={chart.kind} className={chart.kind === 'days' ? 'xl:col-span-2' : 'grid'}>
            <ChartCard chart={chart} />
          </div>
        ))}
      </div>
    </>
  );
}

function IntervalCard({ interval, title, amount, icon, compared, facts }: IntervalView) {
  return (
    <Card id={interval} title={title}>
      <p className="text-2xl font-bold tabular-nums wrap-anywhere">{amount}</p>
      <p className="mt-1 flex gap-1.5 text-sm text-muted">
        {icon && <Icon name={icon} className="mt-0.5 size-4" />}
        {compared}
      </p>
      <dl className="mt-3 grid gap-1 border-t border-line pt-3 text-sm">
        {facts.map(({ term, value }) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-3">
            <dt className="text-muted">{term}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** A chart with a text, and its numbers as a table. */
function ChartCard({ chart }: { readonly chart: ChartView }) {
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

/** A table of texts. The first cell of each row is its header. */
export function TableOf({ title, columns, rows, whole = true }: Omit<TableView, 'text'> & { readonly whole?: boolean }) {
  return (
    <Table caption={title} columns={columns}>
      {rows.map((cells) => (
        <Row key={cells[0]}>
          {cells.map((cell, index) => (
            <Cell key={columns[index]} label={columns[index] ?? ''} whole={whole}>
              {index === 0 ? <strong>{cell}</strong> : cell}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
