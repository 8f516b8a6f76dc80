'use client';

import Link from 'next/link';
import { type MouseEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { usePolling } from '@/components/dashboard/live-refresh';
import { LineIcon } from '@/components/ui/badge';
import { Checkbox } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import { useTranslations } from '@/components/ui/texts';
import type { AlertRow } from './alert-row';
import { canPush, isPushOn, playPaidOnce, renewPush, switchPushOff, switchPushOn, useSound } from './device';

/** The answer of the data route. */
export interface BellUpdate {
  /** The number of unread notifications that need attention. The server counts up to `counted`: if both are equal, there may be more. */
  readonly attention: number;
  readonly counted: number;
  /** The newest of them. */
  readonly urgent: readonly AlertRow[];
  /** The newest payments and other news. */
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
  const attention = data?.attention ?? 0;
  const many = data !== undefined && attention >= data.counted;
  const news = data?.items.some(({ unread }) => unread) ?? false;
  const label = [
    t('title'),
    attention > 0 && t(many ? 'attentionMany' : 'attention', { count: many ? BADGE_MAX : attention }),
    attention === 0 && news && t('news'),
  ]
    .filter(Boolean)
    .join(': ');

  const look = 'relative flex h-11 min-w-11 shrink-0 cursor-pointer items-center justify-center rounded-lg px-2 text-brand hover:bg-sunken';
  // The number is beside the bell and the dot in the corner of the button, so that neither covers the bell.
  const inside = (
    <>
      <Icon name="bell" className="size-6" />
      {attention > 0 ? (
        <span
          aria-hidden="true"
          className="-ml-0.5 min-w-5 self-start rounded-full bg-danger px-1 pt-0.5 text-center text-xs leading-4 font-bold text-on-danger tabular-nums"
        >
          {many ? `${BADGE_MAX}+` : attention}
        </span>
      ) : (
        news && <span aria-hidden="true" className="absolute top-1.5 right-1 size-2.5 rounded-full bg-good" />
      )}
    </>
  );
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

const noChanges = () => () => undefined;
const hasPopovers = () => 'popover' in HTMLElement.prototype;

interface BellPanelProps {
  readonly page: string;
  /** Undefined until the data route has answered for the first time. */
  readonly update: BellUpdate | undefined;
  readonly sound: boolean;
  readonly onSound: (on: boolean) => void;
  /** Called after everything was marked as read. */
  readonly onRead: () => void;
  /** Called when a link was clicked. */
  readonly onLeave: () => void;
}

/** The content of the bell's panel: the newest notifications, and the settings of this device. */
function BellPanel({ page, update, sound, onSound, onRead, onLeave }: BellPanelProps) {
  const t = useTranslations('Bell');
  const [failed, setFailed] = useState(false);
  const { items = [], urgent = [], newest = null, attention = 0 } = update ?? {};
  const unread = attention > 0 || items.some((item) => item.unread);

  async function markRead(until: string): Promise<void> {
    try {
      const answer = await fetch(`${page}/data`, { method: 'POST', body: new URLSearchParams({ until }) });
      setFailed(!answer.ok);
      if (answer.ok) onRead();
    } catch {
      setFailed(true);
    }
  }

  const leave = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a[href]')) onLeave();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only notices clicks on the links inside, also those of the keyboard.
    <div className="grid gap-2" onClick={leave}>
      <div className="flex min-h-control items-center justify-between gap-3 px-2">
        <h2 className="text-heading">{t('title')}</h2>
        {newest !== null && unread && (
          <button
            type="button"
            onClick={() => markRead(newest)}
            className="min-h-control cursor-pointer px-1 text-small font-semibold text-brand underline underline-offset-2"
          >
            {t('markRead')}
          </button>
        )}
      </div>
      {failed && (
        <p role="alert" className="px-2 text-small font-semibold text-danger">
          {t('failed')}
        </p>
      )}
      {urgent.length > 0 && (
        <section aria-label={t('urgent')} className="rounded-lg bg-amber-soft/50 p-1">
          <ul className="grid gap-0.5">
            {urgent.map((row) => (
              <AlertItem key={row.id} row={row} newText={t('new')} />
            ))}
          </ul>
          {attention > urgent.length && (
            <Link
              href={`${page}?topic=attention`}
              prefetch={false}
              className="flex min-h-control items-center px-2 font-semibold text-brand"
            >
              {t('more', { count: String(attention - urgent.length) })}
            </Link>
          )}
        </section>
      )}
      {items.length === 0 && urgent.length === 0 ? (
        <p className="px-2 py-4 text-muted">{t('empty')}</p>
      ) : (
        <ul className="grid gap-0.5">
          {items.map((row) => (
            <AlertItem key={row.id} row={row} newText={t('new')} />
          ))}
        </ul>
      )}
      <ButtonLink href={page}>{t('all')}</ButtonLink>
      <div className="border-t border-line px-2 pt-1">
        <Checkbox
          id="bell-sound"
          label={t('sound')}
          hint={t('soundHint')}
          checked={sound}
          onChange={(event) => onSound(event.target.checked)}
        />
        <PushSwitch page={page} />
      </div>
    </div>
  );
}

/** A notification in the panel. The whole row is a link. An unread one has a dot, and screen readers read `newText` instead. */
function AlertItem({ row, newText }: { readonly row: AlertRow; readonly newText: string }) {
  const { tone, icon, title, detail, at, href, unread } = row;
  return (
    <li>
      <Link href={href} prefetch={false} className="flex min-h-control items-start rounded-lg px-2 py-2 hover:bg-sunken">
        <LineIcon tone={tone} icon={icon} />
        <span className="min-w-0 flex-1 md:pl-3">
          <span className={`block wrap-anywhere tabular-nums ${unread ? 'font-semibold' : ''}`}>{title}</span>
          <span className="flex items-baseline justify-between gap-3 text-small text-muted">
            <span className="line-clamp-2 min-w-0 wrap-anywhere">{detail}</span>
            <span className="shrink-0 whitespace-nowrap" title={at.exact}>
              {at.text}
            </span>
          </span>
        </span>
        <span className={`mt-2 ml-2 size-2 shrink-0 rounded-full ${unread ? 'bg-brand' : ''}`}>
          {unread && <span className="sr-only">{newText}</span>}
        </span>
      </Link>
    </li>
  );
}

/** Announces payments that come while the page is open: by the sound, and in the title of a tab in the background. */
function usePaidNews(items: readonly AlertRow[] | undefined, sound: boolean): void {
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

/** The title of the tab before `announceInTitle` replaced it. Null if the title announces no payment. */
let before: string | null = null;
let shown = '';

/** Announces money in the title of a tab in the background: `(2) Paid TZS 5,000 · Bills`. */
function announceInTitle(count: number, text: string): void {
  if (before === null || document.title !== shown) before = document.title;
  shown = `(${count}) ${text} · ${before}`;
  document.title = shown;
}

/** Restores the title, unless another page has set its own meanwhile. */
function restoreTitle(): void {
  if (before !== null && document.title === shown) document.title = before;
  before = null;
}

type PushState = 'on' | 'off' | 'denied' | 'failed' | 'changing';

/** Switches the browser's own notifications on for this device. Browsers that cannot show any get no switch. */
function PushSwitch({ page }: { readonly page: string }) {
  const t = useTranslations('Bell');
  const [state, setState] = useState<PushState>(() => (isPushOn(page) ? 'on' : 'off'));
  if (!canPush()) return null;

  async function change(on: boolean): Promise<void> {
    setState('changing');
    try {
      setState(on ? await switchPushOn(page) : await switchPushOff(page));
    } catch {
      // The browser's push service or the server cannot be reached, for example in a private window or offline.
      setState('failed');
    }
  }
  const problem = state === 'denied' ? t('pushDenied') : state === 'failed' ? t('pushFailed') : null;
  return (
    <>
      <Checkbox
        id="bell-push"
        label={t('push')}
        hint={t('pushHint')}
        checked={state === 'on' || (state === 'failed' && isPushOn(page))}
        disabled={state === 'changing'}
        onChange={(event) => change(event.target.checked)}
      />
      {problem !== null && (
        <p role="alert" className="mt-1 ml-8 text-small font-semibold text-danger">
          {problem}
        </p>
      )}
    </>
  );
}
