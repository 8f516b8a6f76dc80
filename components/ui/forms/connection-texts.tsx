'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Messages } from '@/lib/i18n/messages';
import type { Trouble } from './connection';

/** The title and text about each trouble. */
export const TROUBLE_TEXTS = {
  offline: { title: 'offlineTitle', text: 'offlineText' },
  down: { title: 'downTitle', text: 'downText' },
  unknown: { title: 'unknownTitle', text: 'unknownText' },
  ended: { title: 'endedTitle', text: 'endedText' },
  version: { title: 'versionTitle', text: 'versionText' },
  foreign: { title: 'foreignTitle', text: 'foreignText' },
} as const satisfies Readonly<Record<Trouble, { readonly title: keyof ConnectionWords; readonly text: keyof ConnectionWords }>>;

type ConnectionWords = Messages['Line'];

const Words = createContext<ConnectionWords | null>(null);

/** Provides the messages about a lost connection. They are loaded with the page, because they cannot be fetched without a connection. */
export function ConnectionTexts({ words, children }: { readonly words: ConnectionWords; readonly children: ReactNode }) {
  return <Words value={words}>{children}</Words>;
}

export function useConnectionTexts(): (name: keyof ConnectionWords) => string {
  const words = useContext(Words);
  if (words === null) throw new Error('ConnectionTexts is missing in the root layout');
  return (name) => words[name];
}
