import Link from 'next/link';
import type { ReactNode } from 'react';

interface StatProps {
  readonly label: string;
  /** The figure. Use Money or a formatted number. */
  readonly value: ReactNode;
  /** A comparison or explanation below the figure. */
  readonly note?: ReactNode;
  /** The list that shows what the figure counts. */
  readonly href?: string;
  readonly size?: 'figure' | 'subfigure';
}

/** A figure with its name. With an address, the whole area is a link. */
export function Stat({ label, value, note, href, size = 'subfigure' }: StatProps) {
  return (
    <div className="relative min-w-0">
      <p className="text-small font-semibold text-muted">{label}</p>
      <p className={`tabular-nums wrap-anywhere ${size === 'figure' ? 'text-figure' : 'text-subfigure'}`}>
        {href === undefined ? (
          value
        ) : (
          <Link href={href} prefetch={false} className="after:absolute after:inset-0 hover:underline">
            {value}
          </Link>
        )}
      </p>
      {note && <p className="text-small text-muted">{note}</p>}
    </div>
  );
}
