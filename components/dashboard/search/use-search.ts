import { useEffect, useState } from 'react';
import { reportIncident } from '@/components/ui/forms/connection';
import type { FoundRows } from './found-row';

/** The answer of the data route. */
export interface SearchAnswer {
  readonly groups: readonly FoundRows[];
  readonly slow: boolean;
}

/** What is known about a text: the bills, or why there are none. */
export type SearchState =
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
export function useSearch(source: string, typed: string): SearchState | null {
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
