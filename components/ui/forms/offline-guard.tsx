'use client';

import { useEffect, useState } from 'react';
import { Notice } from '@/components/ui/notice';
import { useConnectionTexts } from './connection-texts';

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
    <div aria-live="assertive" data-page-end className="sticky bottom-0 z-50 mx-auto max-w-xl bg-surface">
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
