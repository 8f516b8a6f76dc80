'use client';

import { useEffect, useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { checkLine, onSessionEnd } from '@/components/ui/forms/line';
import { useLineTexts } from '@/components/ui/forms/line-texts';

/** Says over the page that its session has ended, where what was typed can still be sent after signing in beside it. */
export function SessionEnded() {
  const t = useLineTexts();
  const [open, setOpen] = useState(false);
  // A page that asks by itself is told again and again; somebody who closed this knows.
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
    // Back from where they signed in.
    const look = async () => {
      if (document.visibilityState !== 'visible' || (await checkLine()) !== 'open') return;
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
