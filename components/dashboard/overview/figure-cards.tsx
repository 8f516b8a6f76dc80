import Link from 'next/link';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { Card } from '@/components/ui/layout';
import { Amount } from './amount';
import { BarLine } from './bar-line';
import type { FiguresView } from './present-overview';

/** What was collected: the most important figure of the page. */
export function CollectedCard({ title, days, amount, href, compared, facts }: FiguresView['collected']) {
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
export function UnpaidCard({ title, amount, href, bills, overdue, ages }: FiguresView['unpaid']) {
  return (
    <Card id="unpaid" title={title} action={<span className="text-small text-muted">{bills}</span>}>
      <Amount text={amount} href={href} size="subfigure" />
      {overdue && (
        <Link
          href={overdue.href}
          prefetch={false}
          className="-mx-2 flex items-baseline gap-2 rounded-lg px-2 py-0.5 text-danger hover:bg-sunken"
        >
          <Icon name="clock" className="size-4 self-center" />
          {overdue.text}
          <span className="text-small">{overdue.note}</span>
          <span className="ml-auto font-semibold whitespace-nowrap tabular-nums">{overdue.value}</span>
        </Link>
      )}
      <ul className="mt-1">
        {ages.map((line) => (
          <li key={line.key}>
            <BarLine line={line} fill="bg-amber" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** How many payment requests were paid, and why the others were not. */
export function SuccessCard({ title, rate, href, text, compared, failed, reasons, others, more }: FiguresView['success']) {
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
      <Reasons lines={reasons} />
      {others.length > 0 && (
        <Fold title={more} className="-mb-2 text-small">
          <Reasons lines={others} />
        </Fold>
      )}
    </Card>
  );
}

function Reasons({ lines }: { readonly lines: FiguresView['success']['reasons'] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line.key}>
          <BarLine line={line} fill="bg-danger" />
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
