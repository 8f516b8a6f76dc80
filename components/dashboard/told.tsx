'use client';

import { type ReactNode, useEffect } from 'react';
import { Focused } from '@/components/ui/focused';

interface ToldProps {
  /** The parameters of the page's address that say it. */
  readonly params: readonly string[];
  /** It in words, to be read out. */
  readonly label: string;
  readonly children: ReactNode;
}

/**
 * What came of what somebody just did, which a redirect said in the address. It takes the focus, and leaves the address, so that
 * loading the page again does not tell it again.
 */
export function Told({ params, label, children }: ToldProps) {
  // Each time: a page that refreshes itself is given its whole address back.
  useEffect(() => leave(params));
  return (
    <Focused key={label} label={label}>
      {children}
    </Focused>
  );
}

/** With the entry's own state, the router does not hear of it, and goes on to refresh the page that it was given. */
function leave(params: readonly string[]): void {
  const address = new URL(window.location.href);
  for (const name of params) address.searchParams.delete(name);
  if (address.href !== window.location.href) window.history.replaceState(window.history.state, '', address);
}
