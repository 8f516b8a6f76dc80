'use client';

import { useEffect, useState } from 'react';

/** What is known of a page from the link that opens it. */
interface Opening {
  readonly mark: string;
  /** Whether the link leads to this page again, for example with another filter. */
  readonly same: boolean;
  readonly title: string | null;
  /** The amount in the row of a list. */
  readonly figure: string | null;
}

interface NextPageProps {
  /** A text that differs in each answer of the server. When it changes, the next page is there. */
  readonly mark: string;
  /** Says that a page is loading, for screen readers. Without it, only the bar is shown. */
  readonly loading?: string;
}

/**
 * Shows at once that a click on a link was noticed, until the server has sent the next page: a bar at the top, and inside `main` the outline
 * of the next page, with the title and the amount that the link and its row contain. While Next.js loads a page, browsers show no progress
 * of their own. The present page stays below, so that its scroll position is kept for the Back button.
 */
export function NextPage({ mark, loading }: NextPageProps) {
  const [opening, setOpening] = useState<Opening>();
  useEffect(() => {
    // Forgets the click when the next page is there. The Back button can show this page with the same mark again.
    setOpening(undefined);
    const follow = ({ defaultPrevented, target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a[href]') : null;
      // A prevented default action means that Next.js loads the page of the clicked link.
      if (defaultPrevented && link instanceof HTMLAnchorElement) setOpening(describe(link, mark));
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [mark]);
  const shown = opening?.mark === mark ? opening : undefined;
  return (
    <>
      {loading !== undefined && (
        <p role="status" className="sr-only">
          {shown && loading}
        </p>
      )}
      {shown && <div data-shown="pending" className="fixed inset-x-0 top-0 z-50 h-1 origin-left animate-pending bg-brand" />}
      {shown && loading !== undefined && <Outline {...shown} />}
    </>
  );
}

function describe(link: HTMLAnchorElement, mark: string): Opening {
  const row = link.closest('[role=row]');
  const title = row || link.hasAttribute('data-names-page') ? link : link.querySelector('[data-at=title]');
  return {
    mark,
    same: link.pathname === window.location.pathname,
    title: title?.textContent?.trim() || null,
    figure: (row ?? link).querySelector('[data-at=end]')?.textContent?.trim() || null,
  };
}

const BLOCK = 'rounded-lg bg-line motion-safe:animate-pulse';
const CARD = 'grid gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5';
const WIDTHS = ['w-1/2', 'w-2/3', 'w-2/5', 'w-3/5', 'w-1/2', 'w-2/3'] as const;

/** The outline of the next page, over the present one. The page with other parameters looks much like the present one, which is only veiled. */
function Outline({ same, title, figure }: Opening) {
  if (same) return <div aria-hidden="true" className="absolute inset-0 z-20 bg-ground opacity-60" />;
  return (
    <div data-shown="outline" className="absolute -inset-x-1 inset-y-0 z-20 min-h-[75vh] bg-ground px-1">
      {/* In the window, however far the present page is scrolled. */}
      <div className="sticky top-0 grid gap-4 max-lg:top-5">
        {title === null ? <div className={`h-7 w-40 ${BLOCK}`} /> : <p className="line-clamp-3 text-title wrap-anywhere">{title}</p>}
        {figure !== null && (
          <div className={CARD}>
            <p className="text-figure tabular-nums">{figure}</p>
            <div className={`h-4 w-2/5 ${BLOCK}`} />
            <div className={`h-11 ${BLOCK}`} />
          </div>
        )}
        <div aria-hidden="true" className={CARD}>
          {WIDTHS.map((width, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change.
            <div key={index} className="flex justify-between gap-4">
              <div className={`h-4 ${width} ${BLOCK}`} />
              <div className={`h-4 w-16 ${BLOCK}`} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
