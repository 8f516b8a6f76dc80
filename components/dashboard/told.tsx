'use client';

import { useSearchParams } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';

interface ToldProps {
  /** The parameters of the page's address that say it. */
  readonly params: readonly string[];
  /** It in words, to be read out; null when the address says nothing. */
  readonly label: string | null;
  readonly children?: ReactNode;
}

/**
 * What came of what somebody just did, which a redirect said in the address. It takes the focus, and leaves the address, so that
 * loading the page again does not tell it again. It stays on the page when that refreshes itself, and goes when the page shows
 * something else.
 */
export function Told({ params, label, children }: ToldProps) {
  const box = useRef<HTMLElement>(null);
  const search = useSearchParams().toString();
  const rest = without(search, params);
  const [kept, setKept] = useState<{ label: string; children: ReactNode; rest: string } | null>(null);
  if (label !== null && (kept?.label !== label || kept.rest !== rest)) setKept({ label, children, rest });
  const shown = label !== null ? { label, children } : kept?.rest === rest ? kept : null;
  useEffect(() => {
    if (rest === search) return;
    box.current?.focus();
    const { pathname, hash } = window.location;
    window.history.replaceState(null, '', `${pathname}${rest === '' ? '' : `?${rest}`}${hash}`);
  }, [rest, search]);
  if (shown === null) return null;
  return (
    <section ref={box} tabIndex={-1} aria-label={shown.label} className="grid gap-4 outline-none">
      {shown.children}
    </section>
  );
}

function without(search: string, params: readonly string[]): string {
  const left = new URLSearchParams(search);
  for (const name of params) left.delete(name);
  return left.toString();
}
