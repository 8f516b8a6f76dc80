'use client';

import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { formatClock } from '@/lib/platform/i18n/format';
import { checkConnection, type Incident, onIncident, onPoll, TROUBLE_TEXTS, useConnectionTexts } from './connection';
import { keepForms, restoreForms } from './kept-forms';

const RETURN_CHECK_MS = 4_000;

/** Loaded when a session has ended. If that fails, the link to sign in on another page is left. */
const SignInAgain = lazy(() => import('./sign-in-again').then(asDefault).catch(() => asDefault({ SignInAgain: () => null })));

function asDefault({ SignInAgain: form }: { readonly SignInAgain: ComponentType<{ readonly onDone: () => void }> }) {
  return { default: form };
}

/**
 * The dialog that says why a form was not sent, or that it is unknown whether the server received it. The page stays below it with all
 * typed values. As soon as the connection or the session is back, the dialog offers to send the form.
 */
export function ConnectionDialog() {
  const [incident, setIncident] = useState<Incident | null>(null);
  const [open, setOpen] = useState(false);
  const [signedOut, setSignedOut] = useState(false);
  const [back, setBack] = useState(false);
  useEffect(restoreForms, []);
  useEffect(
    () =>
      onIncident((reported) => {
        // A page that refreshes itself reports after each failed refresh that the session has ended. The dialog opens only for the first
        // report. After the dialog is closed, `ConnectionBar` says that the session has ended.
        if (reported.trouble === 'ended' && reported.again === null && signedOut) return;
        if (reported.trouble === 'ended') setSignedOut(true);
        setBack(false);
        setIncident(reported);
        setOpen(true);
      }),
    [signedOut],
  );
  const returned = () => {
    setBack(true);
    setSignedOut(false);
    // If no form was being sent, the dialog has nothing to offer, so it closes itself.
    if (incident?.again === null) setOpen(false);
  };
  useReturn(signedOut || (open && !back && (incident?.trouble === 'offline' || incident?.trouble === 'down')), returned);
  return (
    <>
      <ConnectionBar signedOut={signedOut && !open} />
      {incident && <Explained incident={incident} back={back} open={open} onOpen={setOpen} onBack={returned} />}
    </>
  );
}

interface ExplainedProps {
  readonly incident: Incident;
  /** Whether the connection and the session are back. */
  readonly back: boolean;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** Called as soon as the person has signed in again in the dialog. */
  readonly onBack: () => void;
}

function Explained({ incident, back, open, onOpen, onBack }: ExplainedProps) {
  const t = useConnectionTexts();
  const { trouble, again, repeatable } = incident;
  const send = () => {
    onOpen(false);
    again?.();
  };
  const { title, text } = TROUBLE_TEXTS[trouble];
  const lost = trouble === 'offline' || trouble === 'down';
  return (
    <Dialog open={open} onOpenChange={onOpen} title={t(title)} text={t(text)} close={t('close')}>
      {trouble === 'unknown' && <p className="font-semibold">{t(repeatable ? 'repeatable' : 'notRepeatable')}</p>}
      {(lost || trouble === 'ended') && (
        <p role="status" className="font-semibold text-brand">
          {back ? t(trouble === 'ended' ? 'signedInAgain' : 'connectedAgain') : lost && t('waiting')}
        </p>
      )}
      {trouble === 'ended' && !back && (
        <Suspense>
          <SignInAgain onDone={onBack} />
        </Suspense>
      )}
      <div data-says-connection className="flex flex-wrap gap-3">
        {trouble === 'ended' && !back && (
          <a href={signInHere()} target="_blank" rel="noopener" className={buttonClass('plain')}>
            {t('signIn')}
          </a>
        )}
        {trouble === 'unknown' && !repeatable && (
          <a href={window.location.href} target="_blank" rel="noopener" className={buttonClass('primary')}>
            {t('look')}
          </a>
        )}
        {trouble === 'version' && (
          <Button type="button" onClick={reload}>
            {t('reload')}
          </Button>
        )}
        {again !== null && (lost || (trouble === 'ended' && back) || (trouble === 'unknown' && repeatable)) && (
          <Button type="button" onClick={send}>
            {t(trouble === 'unknown' ? 'sendAgain' : 'send')}
          </Button>
        )}
        <Button type="button" look="plain" onClick={() => onOpen(false)}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  );
}

function reload(): void {
  keepForms();
  window.location.reload();
}

/**
 * Checks connection and session while `watching`, at intervals and when the member returns to the tab. Calls `onBack` as soon as both are
 * back.
 */
function useReturn(watching: boolean, onBack: () => void): void {
  const call = useEffectEvent(onBack);
  useEffect(() => {
    if (!watching) return;
    let stopped = false;
    const look = async () => {
      if (document.visibilityState !== 'visible' || (await checkConnection()) !== 'open' || stopped) return;
      stopped = true;
      call();
    };
    const timer = setInterval(look, RETURN_CHECK_MS);
    const events = ['focus', 'visibilitychange', 'online'] as const;
    for (const event of events) window.addEventListener(event, look);
    return () => {
      stopped = true;
      clearInterval(timer);
      for (const event of events) window.removeEventListener(event, look);
    };
  }, [watching]);
}

const STALE_CHECK_MS = 5_000;

/**
 * A message at the bottom of a page that cannot refresh itself, because the session has ended or the server cannot be reached. It warns the
 * reader that the data on the page may be old.
 */
function ConnectionBar({ signedOut }: { readonly signedOut: boolean }) {
  const t = useConnectionTexts();
  const stale = useStale();
  return (
    <div aria-live="polite" data-page-end className="z-20 mx-auto max-w-xl bg-surface tall:sticky tall:bottom-(--phone-bar)">
      {signedOut ? (
        <Notice tone="bad" title={t('endedTitle')} text={t('endedStale')}>
          <a href={signInHere()} target="_blank" rel="noopener" className={`${buttonClass('plain')} mt-2`}>
            {t('signIn')}
          </a>
        </Notice>
      ) : (
        stale && (
          // Hidden while another part of the page already says that there is no connection: the counter, the connection dialog, or a form
          // that could not be sent.
          <div className="[body:has([data-says-connection])_&]:hidden">
            <Notice tone="wait" title={t('staleTitle')} text={t('staleText').replace('{time}', formatClock(stale, 'second'))} />
          </div>
        )
      )}
    </div>
  );
}

/** Returns the address of the sign-in page that leads back to this page. */
function signInHere(): string {
  return `/sign-in?${new URLSearchParams({ callbackUrl: window.location.pathname + window.location.search })}`;
}

/** If the page cannot refresh itself now, returns when it last got data. Otherwise returns null. */
function useStale(): Date | null {
  const [fresh, setFresh] = useState<Date | null>(null);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    let latest = new Date();
    let checking = false;
    const check = async () => {
      if (checking) return;
      checking = true;
      const connection = await checkConnection();
      checking = false;
      const gone = connection === 'offline' || connection === 'down';
      setLost(gone);
      setFresh(latest);
    };
    const stop = onPoll((answered) => {
      if (!answered) return void check();
      latest = new Date();
      setLost(false);
    });
    return stop;
  }, []);
  useEffect(() => {
    if (!lost) return;
    const look = async () => {
      const connection = await checkConnection();
      if (connection === 'open' || connection === 'ended') setLost(false);
    };
    const timer = setInterval(look, STALE_CHECK_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, [lost]);
  return lost ? fresh : null;
}

/** Stops navigation while the device is offline. Otherwise the browser's error page would replace this page. */
export function OfflineGuard() {
  const t = useConnectionTexts();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    const hold = (event: Event) => {
      if (navigator.onLine || !leavesPage(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setHeld(true);
    };
    const letGo = () => setHeld(false);
    document.addEventListener('click', hold, true);
    document.addEventListener('submit', hold, true);
    window.addEventListener('online', letGo);
    return () => {
      document.removeEventListener('click', hold, true);
      document.removeEventListener('submit', hold, true);
      window.removeEventListener('online', letGo);
    };
  }, []);
  return (
    <div aria-live="assertive" data-page-end className="sticky bottom-(--phone-bar) z-50 mx-auto max-w-xl bg-surface">
      {held && <Notice tone="wait" title={t('heldTitle')} text={t('heldText')} />}
    </div>
  );
}

function leavesPage({ type, target }: Event): boolean {
  if (!(target instanceof Element)) return false;
  // A form with this attribute calls a server action. The form does not leave the page, and has its own message about the connection.
  if (type === 'submit') return !target.hasAttribute('data-keeps-values');
  const link = target.closest('a[href]');
  return (
    link instanceof HTMLAnchorElement &&
    link.target === '' &&
    !link.hasAttribute('download') &&
    link.protocol.startsWith('http') &&
    !isHere(link)
  );
}

/** Returns whether a link leads to another part of the same page. */
function isHere({ href, hash }: HTMLAnchorElement): boolean {
  return hash !== '' && href.slice(0, -hash.length) === window.location.href.split('#')[0];
}
