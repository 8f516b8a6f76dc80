'use client';

import { useEffect, useRef } from 'react';

/** Every key of a kept bill in the browser's storage begins with this, whoever entered the bill. */
export const KEPT_BILLS = 'bili-counter/';

/**
 * Asks for confirmation before a form signs out while bills on this device are not sent yet, also bills of other cashiers. Signing out then
 * keeps the device's storage, which it otherwise deletes.
 */
export function SignOutGuard({ question }: { readonly question: string }) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = mark.current?.closest('form');
    const guard = (event: SubmitEvent) => {
      if (!form || event.defaultPrevented || !hasKeptBills()) return;
      if (window.confirm(question)) form.action = '/api/auth/signout?keep=1';
      else event.preventDefault();
    };
    form?.addEventListener('submit', guard);
    return () => form?.removeEventListener('submit', guard);
  }, [question]);
  return <span ref={mark} hidden />;
}

function hasKeptBills(): boolean {
  try {
    return Object.keys(window.localStorage).some((key) => key.startsWith(KEPT_BILLS));
  } catch {
    // The browser forbids storage, so there is nothing in it.
    return false;
  }
}
