import type { ChartView } from './present-charts';

/** The height in pixels, also of the interactive chart. */
const DAYS_HEIGHT = 240;
const ROW_HEIGHT = 44;
export const LABEL_WIDTH = 132;
/** Space for the value at the end of a horizontal bar. */
export const END_WIDTH = 88;

export function chartHeight({ kind, points }: ChartView): number {
  return kind === 'days' ? DAYS_HEIGHT : points.length * ROW_HEIGHT;
}

/** Returns the value of the longest possible bar. */
export function fullLength({ kind, points }: ChartView): number {
  return kind === 'shares' ? 100 : Math.max(1, ...points.map(({ value }) => value));
}

/** A chart without JavaScript. It is hidden from screen readers, because a text and a table next to it contain the same. */
export function PlainChart({ chart }: { readonly chart: ChartView }) {
  const { kind, points } = chart;
  const full = fullLength(chart);
  if (kind === 'days') {
    return (
      <div aria-hidden="true" className="flex h-full flex-col gap-1 pl-12">
        <svg viewBox={`0 0 ${points.length} 100`} preserveAspectRatio="none" aria-hidden="true" className="min-h-0 w-full flex-1">
          {points.map(({ label, value }, index) => {
            const height = Math.max(0, (value / full) * 100);
            return <rect key={label} x={index + 0.1} y={100 - height} width={0.8} height={height} className="fill-brand" />;
          })}
        </svg>
        <p className="flex justify-between text-xs text-muted">
          <span>{points[0]?.label}</span>
          <span>{points.at(-1)?.label}</span>
        </p>
      </div>
    );
  }
  return (
    <div aria-hidden="true">
      {points.map(({ label, value, text }) => (
        <div key={label} className="flex items-center gap-2 text-xs" style={{ height: ROW_HEIGHT }}>
          <span className="shrink-0 text-right text-muted" style={{ width: LABEL_WIDTH - 8 }}>
            {label}
          </span>
          <span className="relative h-5 flex-1 rounded-r bg-sunken" style={{ marginRight: END_WIDTH }}>
            <span className="block h-full rounded-r bg-brand" style={{ width: `${(value / full) * 100}%` }} />
            <span className="absolute top-0.5 ml-1.5 whitespace-nowrap" style={{ left: `${(value / full) * 100}%` }}>
              {text}
            </span>
          </span>
        </div>
      ))}
    </div>
  );
}
