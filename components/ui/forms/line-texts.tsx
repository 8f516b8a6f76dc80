'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Messages } from '@/lib/i18n/messages';

type LineWords = Messages['Line'];

const Words = createContext<LineWords | null>(null);

/** Keeps at hand what is to be said when the line is lost: it cannot be fetched then. */
export function LineTexts({ words, children }: { readonly words: LineWords; readonly children: ReactNode }) {
  return <Words value={words}>{children}</Words>;
}

/** @returns what says one of these texts. */
export function useLineTexts(): (name: keyof LineWords) => string {
  const words = useContext(Words);
  if (words === null) throw new Error('LineTexts stands in the root layout');
  return (name) => words[name];
}
