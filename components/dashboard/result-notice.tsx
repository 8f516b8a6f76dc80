'use client';

import { type ReactNode, useEffect } from 'react';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

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
  'refundResult',
  'refused',
  'released',
  'result',
  'revoked',
  'row',
  'returned',
];

interface ResultNoticeProps {
  readonly text: string;
  readonly good?: boolean;
  readonly children?: ReactNode;
}

/**
 * The result of an action. The notice gets the focus, so that screen readers read it. It removes the result's parameters from the address,
 * so that a reload does not show the result again.
 */
export function ResultNotice({ text, good = true, children }: ResultNoticeProps) {
  // Runs after every render, because a refresh of the page restores the original address, which contains the result's parameters.
  useEffect(leaveAddress);
  return (
    <Focused key={text} label={text}>
      <Notice tone={good ? 'good' : 'bad'} title={text}>
        {children}
      </Notice>
    </Focused>
  );
}

/**
 * Removes the result from the page's address. Does not change the state of the browser's history entry: so the router of Next.js ignores
 * the change, and continues to refresh the original address.
 */
function leaveAddress(): void {
  const address = new URL(window.location.href);
  for (const name of RESULT_PARAMETERS) address.searchParams.delete(name);
  if (address.href !== window.location.href) window.history.replaceState(window.history.state, '', address);
}
