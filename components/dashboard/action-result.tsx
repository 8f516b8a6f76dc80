'use client';

import { type ReactNode, useEffect } from 'react';
import { Focused } from '@/components/ui/focused';

/** The query parameters with which a redirect reports the result of an action. */
const RESULT_PARAMETERS = [
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
  'result',
  'revoked',
  'row',
  'takenBack',
];

/**
 * The result of an action. It takes the focus and removes its query parameters from the address, so that a reload does not show it again.
 */
export function ActionResult({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  // Runs after every render, because a page that refreshes itself gets its original address back.
  useEffect(leaveAddress);
  return <Focused label={label}>{children}</Focused>;
}

/** Keeps the history entry's own state, so that the router ignores the change and continues to refresh the original address. */
function leaveAddress(): void {
  const address = new URL(window.location.href);
  for (const name of RESULT_PARAMETERS) address.searchParams.delete(name);
  if (address.href !== window.location.href) window.history.replaceState(window.history.state, '', address);
}
