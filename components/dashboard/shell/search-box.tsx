'use client';

import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { Icon } from '@/components/ui/icon';

/** Searches for bills. The key `/` focuses the field, except while somebody is typing. It works without JavaScript. */
export function SearchBox({ action, asked = '' }: { readonly action: string; readonly asked?: string }) {
  const t = useTranslations('Shell');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    function focus(event: KeyboardEvent): void {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = event.target;
      if (at instanceof HTMLElement && (at.isContentEditable || at.closest('input, textarea, select'))) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    }
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <search>
      <form action={action} className="relative min-w-0">
        <Icon name="search" className="pointer-events-none absolute top-3.5 left-3 size-4 text-muted" />
        <input
          ref={field}
          name="q"
          type="search"
          aria-label={t('search')}
          aria-keyshortcuts="/"
          placeholder={t('searchHint')}
          defaultValue={asked}
          maxLength={255}
          autoComplete="off"
          className="min-h-control w-full rounded-lg border border-edge bg-surface pr-3 pl-9 placeholder:text-muted"
        />
      </form>
    </search>
  );
}
