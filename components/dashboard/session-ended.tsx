'use client';

import { useEffect, useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { checkConnection, onSessionEnd } from '@/components/ui/forms/connection';
import { useConnectionTexts } from '@/components/ui/forms/connection-texts';

/** A dialog that says that the session has ended. The typed values stay on the page and can be sent after signing in in another tab. */
export function SessionEnded() {
  const t = useConnectionTexts();
  const [open, setOpen] = useState(false);
  // A page that polls reports the end repeatedly. After the dialog was closed, it opens again only when the member does something.
  const [known, setKnown] = useState(false);
  const [wanted, setWanted] = useState('/');

  useEffect(
    () =>
      onSessionEnd((asked) => {
        if (known && !asked) return;
        setWanted(window.location.pathname + window.location.search);
        setKnown(true);
        setOpen(true);
      }),
    [known],
  );
  useEffect(() => {
    if (!open) return;
    // The tab is visible again, possibly after signing in.
    const look = async () => {
      if (document.visibilityState !== 'visible' || (await checkConnection()) !== 'open') return;
      setKnown(false);
      setOpen(false);
    };
    const events = ['focus', 'visibilitychange'] as const;
    for (const event of events) window.addEventListener(event, look);
    return () => {
      for (const event of events) window.removeEventListener(event, look);
    };
  }, [open]);

  return (
    <Dialog open={open} onOpenChange={setOpen} title={t('endedTitle')} text={t('endedText')} close={t('close')}>
      <a
        href={`/sign-in?${new URLSearchParams({ callbackUrl: wanted })}`}
        target="_blank"
        rel="noopener"
        className={`${buttonClass('primary')} justify-self-start`}
      >
        {t('endedSignIn')}
      </a>
    </Dialog>
  );
}
