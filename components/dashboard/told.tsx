'use client';

import { type ReactNode, useEffect } from 'react';
import { Focused } from '@/components/ui/focused';

/** What a redirect says in the address of what somebody just did. */
const TELLING = [
  'changed',
  'done',
  'ended',
  'fields',
  'moved',
  'named',
  'off',
  'problem',
  'refused',
  'released',
  'revoked',
  'row',
  'said',
  'takenBack',
  'told',
];

/**
 * What came of what somebody just did. It takes the focus, and leaves the address, so that loading the page again does not tell it
 * again.
 */
export function Told({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  // Each time: a page that refreshes itself is given its whole address back.
  useEffect(leaveAddress);
  return <Focused label={label}>{children}</Focused>;
}

/** With the entry's own state, the router does not hear of it, and goes on to refresh the page that it was given. */
function leaveAddress(): void {
  const address = new URL(window.location.href);
  for (const name of TELLING) address.searchParams.delete(name);
  if (address.href !== window.location.href) window.history.replaceState(window.history.state, '', address);
}
