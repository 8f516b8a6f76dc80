'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl/react';
import { FRAGMENT_MIN } from '@/lib/bills/search/search-keys';
import { FoundBill } from './found-bill';
import type { SearchState } from './use-search';

interface SearchOptionsProps {
  /** The id of the list. Option n has the id `{id}-{n}`. */
  readonly id: string;
  readonly state: SearchState;
  readonly active: number;
  /** The address of the bill list. */
  readonly bills: string;
  /** The address of the search page. */
  readonly page: string;
  readonly onChosen: () => void;
}

const OPTION = 'block rounded px-3 py-2 outline-none hover:bg-sunken aria-selected:bg-brand-soft';

/** The list below the search box. The focus stays in the search box. The arrow keys, a click or a touch choose an option. */
export function SearchOptions({ id, state, active, bills, page, onChosen }: SearchOptionsProps) {
  const t = useTranslations('SearchBox');
  const groups = state.kind === 'found' ? state.groups : [];
  const note = noteOf(state);
  let next = 0;
  const option = () => {
    const index = next;
    next += 1;
    return {
      id: `${id}-${index}`,
      role: 'option',
      'aria-selected': index === active,
      tabIndex: -1,
      prefetch: false,
      className: OPTION,
      onClick: onChosen,
    } as const;
  };
  return (
    <div className="absolute inset-x-0 top-full z-40 mt-1 max-h-[min(34rem,70dvh)] overflow-y-auto overscroll-contain rounded-lg border border-line bg-surface p-2 shadow-lg lg:min-w-md">
      <p role="status" className={note === null ? 'sr-only' : 'px-3 py-2 text-muted'}>
        {note === null ? t('found', { count: new Set(groups.flatMap(({ rows }) => rows.map((row) => row.id))).size }) : t(note)}
      </p>
      <div id={id} role="listbox" aria-label={t('results')}>
        {groups.map(({ kind, title, rows, more, all }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
          <div key={kind} role="group" aria-labelledby={`${id}-${kind}`} className="border-b border-line pb-1 last:border-0">
            <p id={`${id}-${kind}`} role="presentation" className="px-3 pt-2 pb-1 text-small font-semibold text-muted">
              {title}
            </p>
            {rows.map((row) => (
              <Link key={row.id} {...option()} href={`${bills}/${row.id}`}>
                <FoundBill row={row} />
              </Link>
            ))}
            {more && all !== null && (
              <Link {...option()} href={`${all.page === 'bills' ? bills : page}?${all.query}`}>
                <span className="text-small font-semibold text-brand">{t('all', { typed: state.typed })}</span>
              </Link>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function noteOf(state: SearchState) {
  if (state.kind !== 'found') return state.kind;
  if (state.slow) return 'slow';
  if (state.groups.length > 0) return null;
  // A text with fewer characters than `FRAGMENT_MIN` is searched only at the beginning of references, so the note asks for more characters.
  return state.typed.length < FRAGMENT_MIN ? 'short' : 'none';
}
