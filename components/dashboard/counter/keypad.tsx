'use client';

import { useTranslations } from 'use-intl/react';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'] as const;
export type Key = (typeof KEYS)[number];

/** Pure. Returns the text after a key was pressed. @param most the maximum number of characters. */
export function typeKey(text: string, key: Key, most: number): string {
  if (key === 'back') return text.slice(0, -1);
  return (text + key).slice(0, most);
}

/** Large keys for touch. People with a keyboard type into the fields. */
export function Keypad({ onKey }: { readonly onKey: (key: Key) => void }) {
  const t = useTranslations('Counter');
  return (
    <fieldset className="grid grid-cols-3 gap-2">
      <legend className="sr-only">{t('keypad')}</legend>
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          onClick={() => onKey(key)}
          // Keeps the focus in the field that is typed into.
          onPointerDown={(event) => event.preventDefault()}
          aria-label={key === 'back' ? t('erase') : key}
          className="min-h-12 cursor-pointer touch-manipulation rounded-lg border border-line bg-surface text-title tabular-nums select-none hover:bg-sunken active:bg-brand-soft"
        >
          {key === 'back' ? '⌫' : key}
        </button>
      ))}
    </fieldset>
  );
}
