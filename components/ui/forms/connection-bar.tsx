'use client';

import { useEffect, useState } from 'react';
import { formatClock } from '@/lib/i18n/format';
import { buttonClass } from '../button';
import { Notice } from '../notice';
import { checkConnection, onPoll } from './connection';
import { useConnectionTexts } from './connection-texts';

const CHECK_EVERY_MS = 5_000;

/**
 * A message at the bottom of a page that cannot refresh itself, because the session has ended or the server cannot be reached. It warns the
 * reader that the data on the page may be old.
 */
export function ConnectionBar({ signedOut }: { readonly signedOut: boolean }) {
  const t = useConnectionTexts();
  const stale = useStale();
  return (
    <div aria-live="polite" data-page-end className="z-20 mx-auto max-w-xl bg-surface tall:sticky tall:bottom-0">
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
export function signInHere(): string {
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
    const timer = setInterval(look, CHECK_EVERY_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, [lost]);
  return lost ? fresh : null;
}
