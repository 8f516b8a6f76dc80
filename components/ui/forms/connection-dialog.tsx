'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { Button, buttonClass } from '../button';
import { Dialog } from '../dialog';
import { checkConnection, type Incident, onIncident } from './connection';
import { ConnectionBar, signInHere } from './connection-bar';
import { TROUBLE_TEXTS, useConnectionTexts } from './connection-texts';
import { keepForms, restoreForms } from './kept-forms';

const CHECK_EVERY_MS = 4_000;

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
  useReturn(signedOut || (open && !back && (incident?.trouble === 'offline' || incident?.trouble === 'down')), () => {
    setBack(true);
    setSignedOut(false);
    // If no form was being sent, the dialog has nothing to offer, so it closes itself.
    if (incident?.again === null) setOpen(false);
  });
  return (
    <>
      <ConnectionBar signedOut={signedOut && !open} />
      {incident && <Explained incident={incident} back={back} open={open} onOpen={setOpen} />}
    </>
  );
}

interface ExplainedProps {
  readonly incident: Incident;
  /** Whether the connection and the session are back. */
  readonly back: boolean;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

function Explained({ incident, back, open, onOpen }: ExplainedProps) {
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
      <div data-says-connection className="flex flex-wrap gap-3">
        {trouble === 'ended' && !back && (
          <a href={signInHere()} target="_blank" rel="noopener" className={buttonClass('primary')}>
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
    const timer = setInterval(look, CHECK_EVERY_MS);
    const events = ['focus', 'visibilitychange', 'online'] as const;
    for (const event of events) window.addEventListener(event, look);
    return () => {
      stopped = true;
      clearInterval(timer);
      for (const event of events) window.removeEventListener(event, look);
    };
  }, [watching]);
}
