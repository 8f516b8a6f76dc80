'use client';

import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Icon } from '@/components/ui/icon';
import { SearchOptions } from '../search/search-options';
import { useSearch } from '../search/use-search';

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
export function SearchBox({ action, bills, asked = '' }: SearchBoxProps) {
  const t = useTranslations('SearchBox');
  const router = useRouter();
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

  function follow(option: HTMLAnchorElement): void {
    setOpen(false);
    router.push(option.getAttribute('href') ?? action);
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const count = shown ? options().length : 0;
    const selected = options()[active];
    if (event.key === 'Escape' && shown) setOpen(false);
    else if (event.key === 'Enter' && shown && selected) follow(selected);
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
        className="relative min-w-0"
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setOpen(false);
        }}
      >
        <Icon name="search" className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
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
          defaultValue={asked}
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
          className="min-h-control w-full rounded-lg border border-edge bg-surface pr-3 pl-9 placeholder:text-muted [&::-webkit-search-cancel-button]:size-4 [&::-webkit-search-cancel-button]:cursor-pointer [&::-webkit-search-cancel-button]:appearance-none [&::-webkit-search-cancel-button]:bg-[linear-gradient(45deg,transparent_45%,currentColor_45%_55%,transparent_55%),linear-gradient(-45deg,transparent_45%,currentColor_45%_55%,transparent_55%)]"
        />
        {shown && <SearchOptions id={list} state={state} active={active} bills={bills} page={action} onChosen={() => setOpen(false)} />}
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
