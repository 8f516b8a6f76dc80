'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Messages } from '@/lib/i18n/messages';

type LineWords = Messages['Line'];

const Words = createContext<LineWords | null>(null);

/** Provides the messages about a lost connection. They are loaded with the page, because they cannot be fetched later. */
export function LineTexts({ words, children }: { readonly words: LineWords; readonly children: ReactNode }) {
  return <Words value={words}>{children}</Words>;
}

/** Returns a function that translates one of these messages. */
export function useLineTexts(): (name: keyof LineWords) => string {
  const words = useContext(Words);
  if (words === null) throw new Error('LineTexts is missing in the root layout');
  return (name) => words[name];
}
