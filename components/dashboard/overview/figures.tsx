import Link from 'next/link';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/list';
import { Money } from '@/components/ui/money';
import type { BarView, LineView } from './present-figures';
import type { FiguresView } from './present-overview';

/**
 * The figures and charts of the chosen days. On a phone the charts are beside each other, each as wide as the screen allows, so that the
 * page stays short: people swipe from one to the next.
 */
export function Figures({ collected, unpaid, success, charts, days, networks, hours }: FiguresView) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:gap-4 md:grid-cols-2 xl:grid-cols-[1.1fr_1fr_1fr] [&>:first-child]:md:col-span-2 [&>:first-child]:xl:col-span-1">
        <CollectedCard {...collected} />
        <UnpaidCard {...unpaid} />
        <SuccessCard {...success} />
      </div>
      <section
        aria-label={charts}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: charts without data contain nothing else by which the keyboard could scroll.
        tabIndex={0}
        className="relative -mx-3 flex snap-x snap-mandatory scroll-px-3 gap-3 overflow-x-auto px-3 *:grid *:w-[92%] *:shrink-0 *:snap-start *:grid-cols-[minmax(0,1fr)] md:mx-0 md:grid md:grid-cols-2 md:gap-4 md:overflow-visible md:px-0 md:*:w-auto xl:grid-cols-3"
      >
        <div className="md:col-span-2 [&>section]:flex [&>section]:flex-col">
          <DayChart {...days} />
        </div>
        <div className="[&>section]:flex [&>section]:flex-col">
          <NetworkCard {...networks} />
        </div>
        <div className="xl:col-span-3">
          <HourChart {...hours} />
        </div>
      </section>
    </>
  );
}

/** What was collected: the most important figure of the page. */
function CollectedCard({ title, days, amount, href, compared, facts }: FiguresView['collected']) {
  return (
    <Card id="collected" title={title} look="hero" action={<span className="text-small text-muted">{days}</span>}>
      <Amount text={amount} href={href} size="figure" />
      <Compared {...compared} />
      <dl className="mt-2 flex flex-wrap gap-x-3 border-t border-line pt-2 text-small sm:gap-x-4 sm:text-base">
        {facts.map(({ term, value, href: list }) => (
          <div key={term} className="flex min-h-6 gap-x-1.5">
            <dt className="text-muted">{term}</dt>
            <dd className="font-semibold whitespace-nowrap tabular-nums">
              {list === null ? (
                value
              ) : (
                <Link
                  href={list}
                  prefetch={false}
                  className="inline-block min-w-6 underline decoration-edge underline-offset-4 hover:decoration-current"
                >
                  {value}
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** What customers have not paid yet. */
function UnpaidCard({ title, amount, href, bills, overdue, ages }: FiguresView['unpaid']) {
  return (
    <Card id="unpaid" title={title} action={<span className="text-small text-muted">{bills}</span>}>
      <Amount text={amount} href={href} size="subfigure" />
      {overdue && (
        <Link
          href={overdue.href}
          prefetch={false}
          className="-mx-2 flex flex-wrap items-baseline gap-x-2 rounded-lg px-2 py-0.5 text-danger hover:bg-sunken"
        >
          <Icon name="clock" className="size-4 self-center" />
          {overdue.text}
          <span className="text-small">{overdue.note}</span>
          <span className="ml-auto font-semibold whitespace-nowrap tabular-nums">{overdue.value}</span>
        </Link>
      )}
      <BarList lines={ages} fill="bg-amber" className="mt-1" />
    </Card>
  );
}

/** How many payment requests were paid, and why the others were not. */
function SuccessCard({ title, rate, href, text, compared, failed, reasons, others, more }: FiguresView['success']) {
  return (
    <Card id="success" title={title} action={compared && <Compared {...compared} />}>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Link href={href} prefetch={false} className="text-subfigure tabular-nums hover:underline">
          {rate}
        </Link>
        <span className="text-small text-muted">{text}</span>
      </p>
      {failed && (
        <Link href={failed.href} prefetch={false} className="mt-1 inline-block min-h-6 font-semibold hover:underline">
          {failed.text}
        </Link>
      )}
      <BarList lines={reasons} fill="bg-edge" />
      {others.length > 0 && (
        <Fold title={more} className="-mb-2 text-small">
          <BarList lines={others} fill="bg-edge" />
        </Fold>
      )}
    </Card>
  );
}

function BarList({ lines, fill, className }: { readonly lines: readonly LineView[]; readonly fill: string; readonly className?: string }) {
  return (
    <ul className={className}>
      {lines.map((line) => (
        <li key={line.key}>
          <BarLine line={line} fill={line.fault ? 'bg-danger' : fill} />
        </li>
      ))}
    </ul>
  );
}

function Compared({ icon, text }: FiguresView['collected']['compared']) {
  return (
    <p className="flex gap-1.5 text-small text-muted">
      {icon && <Icon name={icon} className="mt-0.5 size-4" />}
      {text}
    </p>
  );
}

/** The networks' own colours. The class names are not composed from the networks' names, because the build finds only complete names. */
const COLOURS: Readonly<Record<string, string>> = {
  vodacom: 'bg-vodacom',
  yas: 'bg-yas',
  airtel: 'bg-airtel',
  halotel: 'bg-halotel',
  ttcl: 'bg-ttcl',
};

/** The marks of the networks: their names in their colours, as on the payment page. */
const MARKS: Readonly<Record<string, string>> = {
  vodacom: 'border-[#e60000] bg-[#e60000] text-[#ffffff]',
  yas: 'border-[#ffc400] bg-[#ffc400] text-[#1b3f94]',
  airtel: 'border-[#d7001f] bg-[#ffffff] text-[#d7001f]',
  halotel: 'border-[#f47c20] bg-[#f47c20] text-[#14231c]',
  ttcl: 'border-[#0071bc] bg-[#0071bc] text-[#ffffff]',
};

/** For each network: the money that was collected through it, and how many of its payment requests were paid. */
function NetworkCard({ title, empty, lines }: FiguresView['networks']) {
  return (
    <Card id="networks" title={title}>
      {empty && <p className="text-muted">{empty}</p>}
      {/* With several networks, the rows fill the card, which is as high as the chart beside it. A row is at most 5 rem high. */}
      <ul className="grid flex-1 auto-rows-fr gap-1.5" style={{ maxHeight: `${lines.length * 5}rem` }}>
        {lines.map(({ payments, rate, ...line }) => (
          <li key={line.key}>
            <BarLine line={line} fill={COLOURS[line.key] ?? 'bg-other'} mark={MARKS[line.key]} />
            <p className="flex min-h-6 flex-wrap items-center gap-x-2 text-small text-muted">
              {payments}
              {rate && (
                <Link href={rate.href} prefetch={false} className="underline decoration-edge underline-offset-4 hover:decoration-current">
                  {rate.text}
                  <span className="sr-only">{rate.label}</span>
                </Link>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface AmountProps {
  /** A formatted amount: `TZS 1,908,850`. */
  readonly text: string;
  readonly href: string;
  /** Use `figure` only for the most important figure of the page. */
  readonly size: 'figure' | 'subfigure';
}

/** An amount that is a link to the bills that it counts. */
function Amount({ text, href, size }: AmountProps) {
  return (
    <p>
      <Link href={href} prefetch={false} className="hover:underline">
        <Money text={text} size={size} />
      </Link>
    </p>
  );
}

interface BarLineProps {
  readonly line: LineView;
  /** The colour of the bar. */
  readonly fill: string;
  /** The colours of the name, if it is drawn as the mark of a network. */
  readonly mark?: string | undefined;
}

/** A name, a number at its right and a bar below. The whole line is a link. */
function BarLine({ line: { label, value, share, href, note }, fill, mark }: BarLineProps) {
  return (
    <Link href={href} prefetch={false} className="group -mx-2 block rounded-lg px-2 py-0.5 hover:bg-sunken">
      <span className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 group-hover:underline">
          <span
            className={`min-w-0 wrap-anywhere ${mark === undefined ? '' : `rounded-md border px-1.5 text-small leading-tight font-bold ${mark}`}`}
          >
            {label}
          </span>
          {note && <span className="text-small whitespace-nowrap text-muted">{note}</span>}
        </span>
        <span className="shrink-0 font-semibold whitespace-nowrap tabular-nums">{value}</span>
      </span>
      <span aria-hidden="true" className="block h-1 overflow-hidden rounded-full bg-sunken group-hover:bg-line">
        <span className={`block h-full rounded-full ${fill}`} style={{ width: `${share}%` }} />
      </span>
    </Link>
  );
}

/** What was collected per day. Each bar is a link. The table contains the same numbers for keyboards and screen readers. */
function DayChart({ title, text, bars, axis, unit, before, table }: FiguresView['days']) {
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

/** Every sixth hour has a label. */
const TICKS = 6;

/** What was received in each hour of the day: a small chart of 24 bars. */
function HourChart({ title, text, bars, table }: FiguresView['hours']) {
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

interface ChartTableProps {
  readonly title: string;
  readonly open: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly href: string | null; readonly cells: readonly string[] }[];
}

/** The numbers of a chart as a table, below the chart. */
function ChartTable({ title, open, columns, rows }: ChartTableProps) {
  const [first = '', ...others] = columns;
  return (
    <Fold title={open} about={title} className="mt-1 text-small">
      <Table caption={title} columns={[first, ...others.map((text) => ({ text, numeric: true }))]}>
        {rows.map(({ name, href, cells }) => (
          <Row key={name}>
            <Cell label={first}>{href === null ? <strong>{name}</strong> : <TextLink href={href}>{name}</TextLink>}</Cell>
            {others.map((column, index) => (
              <Cell key={column} label={column} numeric value={cells[index] ?? ''} />
            ))}
          </Row>
        ))}
      </Table>
    </Fold>
  );
}
