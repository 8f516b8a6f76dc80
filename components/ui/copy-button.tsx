'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';

interface CopyButtonProps {
  readonly value: string;
  /** What it shows; `Copy` beside what is copied. */
  readonly text?: string;
  /** Says what is copied where the text does not, for those who do not see what it stands beside. */
  readonly label?: string;
}

/** Where the browser forbids copying, nothing happens: the text beside it selects itself on a click. */
export function CopyButton({ value, text, label }: CopyButtonProps) {
  const t = useTranslations('Shell');
  const [done, setDone] = useState(false);
  async function write(): Promise<void> {
    // Absent outside secure contexts, whatever the types say.
    if (!('clipboard' in navigator)) return;
    await navigator.clipboard.writeText(value).then(
      () => setDone(true),
      () => setDone(false),
    );
  }
  return (
    <button
      type="button"
      aria-label={done ? t('copied') : label}
      onClick={write}
      className="min-h-9 cursor-pointer rounded-lg border border-edge bg-surface px-3 text-sm font-semibold text-brand"
    >
      {done ? t('copied') : (text ?? t('copy'))}
    </button>
  );
}
