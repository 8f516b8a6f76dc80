'use client';

import Link from 'next/link';
import { type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl/react';
import { Icon } from '@/components/ui/icon';
import { usePolling } from '../use-polling';
import type { AlertRow } from './alert-row';
import { BellPanel } from './bell-panel';
import { renewPush } from './push-device';
import { useSound } from './sound';
import { usePaidNews } from './use-paid-news';

/** The answer of the data route. */
export interface BellUpdate {
  /** The number of unread notifications. The server counts up to `counted`: if both numbers are equal, there may be more. */
  readonly unread: number;
  readonly counted: number;
  /** The newest notifications. */
  readonly items: readonly AlertRow[];
  /** The instant of the newest notification in ISO format; null if there is none. */
  readonly newest: string | null;
}

const EVERY_MS = 6_000;
/** The largest number on the badge, which has room for two digits. */
const BADGE_MAX = 99;
/** The width of the panel (`PANEL_PX`), and its minimum distance from the edges of the window (`MARGIN_PX`). */
const PANEL_PX = 384;
const MARGIN_PX = 12;

/**
 * The bell in the header. It opens a panel with the newest notifications. Without JavaScript, and in browsers without popovers, it is a
 * link to the page of all notifications. @param page the address of that page.
 */
export function Bell({ page }: { readonly page: string }) {
  const t = useTranslations('Bell');
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [sound, setSound] = useSound();
  const { data, mutate } = usePolling<BellUpdate>(`${page}/data`, { everyMs: EVERY_MS, immediately: true, hidden: true });
  usePaidNews(data?.items, sound);
  useEffect(() => {
    // A failed request is ignored here: the next page that this tab opens sends it again.
    renewPush(page).catch(() => undefined);
  }, [page]);
  const popovers = useSyncExternalStore(noChanges, hasPopovers, () => false);
  const unread = data?.unread ?? 0;
  const many = data !== undefined && unread >= data.counted;
  const label = [t('title'), unread > 0 && t(many ? 'unreadMany' : 'unread', { count: many ? BADGE_MAX : unread })]
    .filter(Boolean)
    .join(': ');

  const look = 'relative grid size-11 shrink-0 cursor-pointer place-items-center rounded-lg text-brand hover:bg-sunken';
  const inside = <BellIcon badge={unread === 0 ? null : unread > BADGE_MAX ? `${BADGE_MAX}+` : String(unread)} />;
  if (!popovers) {
    return (
      <Link href={page} prefetch={false} aria-label={label} className={look}>
        {inside}
      </Link>
    );
  }
  /** Puts the panel below the button. By default, browsers show popovers in the middle of the window. */
  const place = () => {
    if (!button.current || !panel.current) return;
    const { bottom, right } = button.current.getBoundingClientRect();
    const { clientWidth } = document.documentElement;
    const widest = clientWidth - Math.min(PANEL_PX, clientWidth - 2 * MARGIN_PX) - MARGIN_PX;
    panel.current.style.top = `${bottom + 4}px`;
    panel.current.style.right = `${Math.max(MARGIN_PX, Math.min(widest, clientWidth - right))}px`;
    panel.current.style.maxHeight = `max(12rem, calc(100dvh - ${bottom + 16}px))`;
  };
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} onClick={place} aria-label={label} aria-haspopup="dialog" className={look}>
        {inside}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        role="dialog"
        aria-label={t('title')}
        className="fixed inset-auto m-0 w-[min(384px,calc(100vw-24px))] overflow-y-auto rounded-xl border border-line bg-surface p-3 text-ink shadow-lg"
      >
        {open && (
          <BellPanel
            page={page}
            update={data}
            sound={sound}
            onSound={setSound}
            onRead={() => mutate()}
            onLeave={() => panel.current?.hidePopover()}
          />
        )}
      </div>
    </>
  );
}

function BellIcon({ badge }: { readonly badge: string | null }): ReactNode {
  return (
    <>
      <Icon name="bell" className="size-6" />
      {badge !== null && (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0 min-w-5 rounded-full border-2 border-surface bg-danger px-1 text-center text-xs font-bold text-on-danger tabular-nums"
        >
          {badge}
        </span>
      )}
    </>
  );
}

const noChanges = () => () => undefined;
const hasPopovers = () => 'popover' in HTMLElement.prototype;
