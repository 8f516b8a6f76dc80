import Link from 'next/link';

interface NavItem {
  readonly href: string;
  readonly text: string;
  readonly current: boolean;
  /** The number of entries in the list that the link opens. */
  readonly count?: string | undefined;
}

interface NavProps {
  readonly label: string;
  readonly items: readonly NavItem[];
  /** Tabs for the pages of a section, chips for a choice. */
  readonly look: 'tabs' | 'chips';
  /**
   * Whether all links stay on one line, which scrolls sideways on a narrow screen. Browsers that support `scroll-initial-target` first show
   * the current link. Use `oneLine` only on the background of the page: the ends of the line are drawn in that colour.
   */
  readonly oneLine?: boolean;
}

const LOOKS = {
  tabs: {
    list: 'gap-x-1 border-b border-line',
    link: '-mb-px inline-flex min-h-control items-center border-b-3 border-transparent px-3 text-muted hover:text-ink aria-[current]:border-brand aria-[current]:text-ink',
  },
  chips: {
    list: 'gap-1.5 sm:gap-2',
    link: 'inline-flex min-h-control items-center rounded-full border border-edge bg-surface px-2.5 sm:px-3 text-small hover:bg-sunken aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-surface',
  },
} as const;

/** A row of links. The current one is highlighted. */
export function Nav({ label, items, look, oneLine = false }: NavProps) {
  return (
    <nav aria-label={label} className={oneLine ? 'scrolls-sideways min-w-0 scroll-px-10' : undefined}>
      <ul className={`flex ${oneLine ? 'w-max min-w-full' : 'flex-wrap'} ${LOOKS[look].list}`}>
        {items.map(({ href, text, current, count }) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              aria-current={current ? (look === 'tabs' ? 'page' : 'true') : undefined}
              className={`font-semibold ${oneLine ? 'whitespace-nowrap focus-visible:-outline-offset-3 aria-[current]:[scroll-initial-target:nearest]' : ''} ${LOOKS[look].link}`}
            >
              {text}
              {count !== undefined && <span className="ml-1.5 text-small font-normal tabular-nums">{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
