import Link from 'next/link';

interface NavItem {
  readonly href: string;
  readonly text: string;
  readonly current: boolean;
}

interface NavProps {
  readonly label: string;
  readonly items: readonly NavItem[];
  /** Tabs for the pages of a section, chips for a choice. */
  readonly look: 'tabs' | 'chips';
}

const LOOKS = {
  tabs: { list: 'gap-1', link: 'border-b-4 border-transparent px-3 py-2.5 aria-[current]:border-brand aria-[current]:text-brand' },
  chips: {
    list: 'gap-2',
    link: 'rounded-full border border-edge bg-surface px-3 py-1.5 text-sm aria-[current]:border-brand aria-[current]:bg-brand aria-[current]:text-on-brand',
  },
} as const;

/** A row of links. The current one is highlighted. */
export function Nav({ label, items, look }: NavProps) {
  return (
    <nav aria-label={label}>
      <ul className={`flex flex-wrap ${LOOKS[look].list}`}>
        {items.map(({ href, text, current }) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              aria-current={current ? (look === 'tabs' ? 'page' : 'true') : undefined}
              className={`block font-semibold ${LOOKS[look].link}`}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
