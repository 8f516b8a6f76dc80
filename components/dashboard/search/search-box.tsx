'use client';

import Link from 'next/link';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { BILL_LOOKS, OVERPAID_LOOK } from '@/components/dashboard/bill-looks';
import { Badge } from '@/components/ui/badge';
import { reportIncident } from '@/components/ui/forms/connection';
import { Icon } from '@/components/ui/icon';
import { MARK, MarkedText } from '@/components/ui/marked';
import { useTranslations } from '@/components/ui/texts';
import { FRAGMENT_MIN } from '@/lib/backoffice/search/search-entry';
import type { FoundRow, FoundRows } from './found-row';

interface SearchBoxProps {
  /** The address of the search page. */
  readonly action: string;
  /** The address of the bill list. */
  readonly bills: string;
  readonly asked?: string;
}

/**
 * Searches for bills while somebody types: a combobox with a list of groups (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). Without
 * JavaScript it opens the search page. The device does not store what was typed, because people share computers in shops.
 */
export function SearchBox({ action, bills, asked }: SearchBoxProps) {
  // In a narrow window, the box is only its icon until it has the focus. Then it covers the header. The search page has the whole box.
  const folds = asked === undefined;
  const t = useTranslations('SearchBox');
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const state = useSearch(`${action}/results`, typed);
  const shown = open && state !== null;
  useSearchKey(field);

  const options = () => [...(box.current?.querySelectorAll<HTMLAnchorElement>('[role=option]') ?? [])];
  const choose = (index: number) => {
    setActive(index);
    options()[index]?.scrollIntoView({ block: 'nearest' });
  };

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const count = shown ? options().length : 0;
    const selected = options()[active];
    if (event.key === 'Escape' && shown) setOpen(false);
    else if (event.key === 'Enter' && shown && selected) selected.click();
    else if (event.key === 'ArrowDown' && state !== null && !open) setOpen(true);
    else if (event.key === 'ArrowDown' && count > 0) choose(active + 1 < count ? active + 1 : -1);
    else if (event.key === 'ArrowUp' && count > 0) choose(active === -1 ? count - 1 : active - 1);
    else return;
    event.preventDefault();
  }

  return (
    <search>
      <form
        ref={box}
        action={action}
        data-folds={folds ? '' : undefined}
        className={folds ? 'group min-w-0 max-lg:size-11' : 'min-w-0'}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setOpen(false);
        }}
      >
        <div
          className={`relative ${folds ? 'max-lg:group-focus-within:absolute max-lg:group-focus-within:inset-x-2 max-lg:group-focus-within:top-1 max-lg:group-focus-within:z-40' : ''}`}
        >
          <Icon
            name="search"
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted folded:left-2.5 folded:size-6 folded:text-brand"
          />
          <input
            ref={field}
            name="q"
            type="search"
            role="combobox"
            aria-label={t('label')}
            aria-keyshortcuts="/ Control+K"
            aria-autocomplete="list"
            aria-expanded={shown}
            aria-controls={list}
            aria-activedescendant={shown && active >= 0 ? `${list}-${active}` : undefined}
            placeholder={t('hint')}
            defaultValue={asked ?? ''}
            maxLength={255}
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            onChange={({ target }) => {
              setTyped(target.value);
              setActive(-1);
              setOpen(true);
            }}
            onFocus={() => setOpen(true)}
            onKeyDown={press}
            className="min-h-control w-full rounded-lg border border-edge bg-surface pr-3 pl-9 placeholder:text-muted folded:size-11 folded:cursor-pointer folded:border-transparent folded:px-0 folded:text-transparent folded:placeholder:text-transparent [&::-webkit-search-cancel-button]:size-4 [&::-webkit-search-cancel-button]:cursor-pointer [&::-webkit-search-cancel-button]:appearance-none [&::-webkit-search-cancel-button]:bg-[linear-gradient(45deg,transparent_45%,currentColor_45%_55%,transparent_55%),linear-gradient(-45deg,transparent_45%,currentColor_45%_55%,transparent_55%)]"
          />
          {shown && <SearchOptions id={list} state={state} active={active} bills={bills} page={action} onChosen={() => setOpen(false)} />}
        </div>
      </form>
    </search>
  );
}

/** Lets the keys `/` (except while somebody is typing) and Ctrl-K focus the field. */
function useSearchKey(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    function focus(event: globalThis.KeyboardEvent): void {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const control = ctrlKey !== metaKey && !altKey && key.toLowerCase() === 'k';
      const typing = target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null);
      if (!control && (key !== '/' || ctrlKey || metaKey || altKey || typing)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    }
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [field]);
}

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
function SearchOptions({ id, state, active, bills, page, onChosen }: SearchOptionsProps) {
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

/** A found bill in two lines. */
function FoundBill({ row }: { readonly row: FoundRow }) {
  const { reference, value, customer, amount, amountMatches, status, statusText, overpaid, created } = row;
  const look = overpaid ? OVERPAID_LOOK : BILL_LOOKS[status];
  return (
    <span className="flex flex-col gap-0.5">
      <span className="flex min-w-0 items-baseline justify-between gap-3">
        <span data-at="title" className="line-clamp-1 min-w-0 font-semibold wrap-anywhere">
          <MarkedText text={reference} />
        </span>
        <span data-at="end" className="shrink-0 tabular-nums">
          {amountMatches ? <mark className={MARK}>{amount}</mark> : amount}
        </span>
      </span>
      <span className="flex min-w-0 items-center justify-between gap-3 text-small text-muted">
        <span className="min-w-0 truncate">
          {value && (
            <span className="text-ink">
              <MarkedText text={value} />
              {' · '}
            </span>
          )}
          {customer !== null && `${customer} · `}
          {created}
        </span>
        <Badge {...look} text={statusText} />
      </span>
    </span>
  );
}

function noteOf(state: SearchState) {
  if (state.kind !== 'found') return state.kind;
  if (state.slow) return 'slow';
  if (state.groups.length > 0) return null;
  // A text with fewer characters than `FRAGMENT_MIN` is searched only at the beginning of references, so the note asks for more characters.
  return state.typed.length < FRAGMENT_MIN ? 'short' : 'none';
}

/** The answer of the data route. */
export interface SearchAnswer {
  readonly groups: readonly FoundRows[];
  readonly slow: boolean;
}

/** What is known about a text: the bills, or why there are none. */
type SearchState =
  | ({ readonly kind: 'found'; readonly typed: string } & SearchAnswer)
  | { readonly kind: 'often' | 'offline'; readonly typed: string };

/** The request is sent when nobody has typed for this time. Fast typists pause for less, so they cause no request for each character. */
const PAUSE_MS = 120;
const UNAUTHORIZED = 401;
const TOO_MANY = 429;

/**
 * Searches while somebody types. Each new text cancels the request for the text before, so an older answer never replaces a newer one.
 * Returns the newest answer; null before the first answer, and for a blank text.
 */
function useSearch(source: string, typed: string): SearchState | null {
  const [state, setState] = useState<SearchState | null>(null);
  const text = typed.trim();
  useEffect(() => {
    if (text === '') {
      setState(null);
      return;
    }
    const cancel = new AbortController();
    const timer = window.setTimeout(async () => {
      const next = await ask(source, text, cancel.signal);
      if (next !== null && !cancel.signal.aborted) setState(next);
    }, PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
      cancel.abort();
    };
  }, [source, text]);
  return text === '' ? null : state;
}

/** Requests the results for a text. Returns null if the request was cancelled or the server failed: then the earlier results stay. */
async function ask(source: string, typed: string, signal: AbortSignal): Promise<SearchState | null> {
  try {
    const answer = await fetch(`${source}?${new URLSearchParams({ q: typed })}`, { cache: 'no-store', signal });
    if (answer.status === UNAUTHORIZED) reportIncident({ trouble: 'ended', again: null, repeatable: false });
    if (answer.status === TOO_MANY) return { kind: 'often', typed };
    if (!answer.ok) return null;
    const found: SearchAnswer = await answer.json();
    return { kind: 'found', typed, ...found };
  } catch (error) {
    if (signal.aborted) return null;
    if (error instanceof TypeError) return { kind: 'offline', typed };
    throw error;
  }
}
