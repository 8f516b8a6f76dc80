import Link from 'next/link';
import { Icon } from './icon';

interface ChipProps {
  readonly text: string;
  /** The same page without the filter. */
  readonly href: string;
  /** Says what the link does: `Remove filter: Vodacom`. */
  readonly label: string;
}

/** An active filter. A click removes it. */
export function Chip({ text, href, label }: ChipProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={label}
      className="inline-flex min-h-control max-w-full items-center gap-1.5 rounded-full border border-edge bg-sunken px-3 text-small font-semibold wrap-anywhere hover:bg-surface"
    >
      {text}
      <Icon name="cross" className="size-3.5" />
    </Link>
  );
}
