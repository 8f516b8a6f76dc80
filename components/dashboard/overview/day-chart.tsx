import Link from 'next/link';
import { Card } from '@/components/ui/layout';
import { ChartTable } from './chart-table';
import type { BarView } from './present-charts';
import type { FiguresView } from './present-overview';

/** What was collected per day. Each bar is a link. The table contains the same numbers for keyboards and screen readers. */
export function DayChart({ title, text, bars, axis, unit, before, table }: FiguresView['days']) {
  return (
    <Card id="days" title={title} action={before && <BeforeKey text={before} />}>
      <p className="text-small text-muted">{text}</p>
      {bars.length > 0 && (
        <>
          <div
            aria-hidden="true"
            className="mt-7 grid min-h-32 grow grid-cols-[2rem_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] gap-x-2 text-small text-muted sm:min-h-64"
          >
            <div className="relative">
              <span className="absolute right-0 bottom-0 translate-y-1/2">0</span>
              {axis.map((line, index) => (
                <span key={line.at} className="absolute right-0 translate-y-1/2 text-right" style={{ bottom: `${line.at}%` }}>
                  {index === 0 && <span className="absolute right-0 bottom-full">{unit}</span>}
                  {line.text}
                </span>
              ))}
            </div>
            <div className="relative flex items-end border-b border-edge">
              {axis.map((line) => (
                <span key={line.at} className="absolute inset-x-0 border-t border-line" style={{ bottom: `${line.at}%` }} />
              ))}
              {bars.map((bar, index) => (
                <Bar
                  key={bar.href}
                  bar={bar}
                  side={index * 3 < bars.length ? 'left-0' : index * 3 > 2 * bars.length ? 'right-0' : 'left-1/2 -translate-x-1/2'}
                />
              ))}
              <BeforeLine bars={bars} />
            </div>
            <div className="relative col-start-2 h-6">
              {bars.map(({ href, tick }, index) => (
                <Tick key={href} text={tick} at={((index + 0.5) / bars.length) * 100} last={index === bars.length - 1} />
              ))}
            </div>
          </div>
          <ChartTable title={title} {...table} />
        </>
      )}
    </Card>
  );
}

/** A bar with a tooltip for the pointer. A click anywhere above the bar opens its link, too. */
function Bar({ bar, side }: { readonly bar: BarView; readonly side: string }) {
  return (
    <Link
      href={bar.href}
      prefetch={false}
      tabIndex={-1}
      className="group relative flex h-full min-w-0 flex-1 items-end px-px hover:bg-sunken"
    >
      <span
        className={`mx-auto block w-full max-w-10 rounded-t-sm group-hover:bg-brand-deep ${bar.chosen ? 'bg-brand' : 'bg-brand opacity-35'}`}
        style={{ height: `${bar.height}%` }}
      />
      <span
        className={`pointer-events-none absolute bottom-full z-10 hidden rounded-lg border border-line bg-surface px-3 py-2 whitespace-nowrap text-ink shadow-lg group-hover:block ${side}`}
      >
        <span className="block text-muted">{bar.label}</span>
        {bar.texts.map((text, index) => (
          <span key={text} className={`block ${index === 0 ? 'font-semibold tabular-nums' : ''}`}>
            {text}
          </span>
        ))}
      </span>
    </Link>
  );
}

/** The legend of the line for the earlier days. @param text names these days. */
function BeforeKey({ text }: { readonly text: string }) {
  return (
    <span className="flex items-center gap-1.5 text-small text-muted">
      <i aria-hidden="true" className="w-4 border-t-2 border-amber" />
      {text}
    </span>
  );
}

/** A thin line with the amounts of the earlier days that the bars are compared with. */
function BeforeLine({ bars }: { readonly bars: readonly BarView[] }) {
  const points = bars.flatMap(({ before }, index) => (before === null ? [] : [`${index + 0.5},${100 - before}`]));
  if (points.length === 0) return null;
  return (
    <svg
      viewBox={`0 0 ${bars.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
    >
      <polyline points={points.join(' ')} fill="none" vectorEffect="non-scaling-stroke" strokeWidth="1.5" className="stroke-amber" />
    </svg>
  );
}

function Tick({ text, at, last }: { readonly text: string | null; readonly at: number; readonly last: boolean }) {
  if (text === null) return null;
  return (
    <span
      className={`absolute top-1 whitespace-nowrap ${last && at > 95 ? 'right-0' : '-translate-x-1/2'}`}
      style={last && at > 95 ? {} : { left: `${at}%` }}
    >
      {text}
    </span>
  );
}
