import { Card } from '@/components/ui/layout';
import { ChartTable } from './chart-table';
import type { FiguresView } from './present-overview';

/** Every sixth hour has a label. */
const TICKS = 6;

/** What was received in each hour of the day: a small chart of 24 bars. */
export function HourChart({ title, text, bars, table }: FiguresView['hours']) {
  return (
    <Card id="hours" title={title}>
      <p className="text-small text-muted">{text}</p>
      {bars.length > 0 && (
        <>
          <div aria-hidden="true" className="mt-2 text-small text-muted">
            <div className="flex h-16 items-end gap-px border-b border-edge">
              {bars.map(({ hour, height, best }) => (
                <span
                  key={hour}
                  className={`min-w-0 flex-1 rounded-t-sm ${best ? 'bg-brand' : 'bg-brand opacity-45'}`}
                  style={{ height: `${height}%` }}
                />
              ))}
            </div>
            <div className="flex">
              {bars
                .filter((_, index) => index % TICKS === 0)
                .map(({ hour }) => (
                  <span key={hour} className="flex-1">
                    {hour}
                  </span>
                ))}
            </div>
          </div>
          <ChartTable title={title} {...table} />
        </>
      )}
    </Card>
  );
}
