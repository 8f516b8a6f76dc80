import Link from 'next/link';
import type { LineView } from './present-figures';

interface BarLineProps {
  readonly line: LineView;
  /** The colour of the bar, and of the mark before the name if there is one. */
  readonly fill: string;
  readonly marked?: boolean;
}

/** A name, a number at its right and a bar below. The whole line is a link. */
export function BarLine({ line: { label, value, share, href, note }, fill, marked = false }: BarLineProps) {
  return (
    <Link href={href} prefetch={false} className="group -mx-2 block rounded-lg px-2 py-0.5 hover:bg-sunken">
      <span className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 group-hover:underline">
          {marked && <i aria-hidden="true" className={`inline-block size-2.5 rounded-full ${fill}`} />}
          <span className="min-w-0 wrap-anywhere">{label}</span>
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
