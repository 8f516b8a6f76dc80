import { useEffect, useRef } from 'react';
import type { AlertRow } from './alert-row';
import { announceInTitle, restoreTitle } from './paid-title';
import { playPaidOnce } from './sound';

/** Announces payments that come while the page is open: by the sound, and in the title of a tab in the background. */
export function usePaidNews(items: readonly AlertRow[] | undefined, sound: boolean): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  const missed = useRef(0);

  useEffect(() => {
    const seen = () => {
      if (document.visibilityState !== 'visible') return;
      missed.current = 0;
      restoreTitle();
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);

  useEffect(() => {
    if (!items) return;
    const earlier = known.current;
    known.current = new Set(items.map(({ id }) => id));
    // The first answer contains only what happened before the page was opened, so nothing in it is announced.
    if (earlier === null) return;
    const paid = items.filter(({ id, paid, unread }) => paid && unread && !earlier.has(id));
    const [newest] = paid;
    if (!newest) return;
    if (sound) playPaidOnce(newest.id);
    if (document.visibilityState === 'visible') return;
    missed.current += paid.length;
    announceInTitle(missed.current, newest.title);
  }, [items, sound]);
}
