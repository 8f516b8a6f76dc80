import Link from 'next/link';
import { Card } from '@/components/ui/layout';
import { BarLine } from './bar-line';
import type { FiguresView } from './present-overview';

/** The networks' own colours. The class names are not composed from the networks' names, because the build finds only complete names. */
const COLOURS: Readonly<Record<string, string>> = {
  vodacom: 'bg-vodacom',
  yas: 'bg-yas',
  airtel: 'bg-airtel',
  halotel: 'bg-halotel',
  ttcl: 'bg-ttcl',
};

/** For each network: the money that was collected through it, and how many of its payment requests were paid. */
export function NetworkCard({ title, empty, lines }: FiguresView['networks']) {
  return (
    <Card id="networks" title={title}>
      {empty && <p className="text-muted">{empty}</p>}
      {/* With several networks, the rows fill the card, which is as high as the chart beside it. A row is at most 5 rem high. */}
      <ul className="grid flex-1 auto-rows-fr gap-1.5" style={{ maxHeight: `${lines.length * 5}rem` }}>
        {lines.map(({ payments, rate, ...line }) => (
          <li key={line.key}>
            <BarLine line={line} fill={COLOURS[line.key] ?? 'bg-other'} marked />
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
