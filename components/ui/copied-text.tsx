'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Icon } from './icon';

/** How long the tick is shown after copying. */
const SHOWN_MS = 2_000;

interface CopiedTextProps {
  /** What the text is, for screen readers. */
  readonly label: string;
  readonly text: string;
}

/** A text in a line that a click copies. Without JavaScript, or if the browser forbids copying, a click selects it. */
export function CopiedText({ label, text }: CopiedTextProps) {
  const t = useTranslations('Shell');
  const [done, setDone] = useState(false);
  async function copy(): Promise<void> {
    // `clipboard` is missing outside secure contexts, although its type says otherwise.
    if (!('clipboard' in navigator)) return;
    await navigator.clipboard.writeText(text).then(
      () => {
        setDone(true);
        window.setTimeout(() => setDone(false), SHOWN_MS);
      },
      () => setDone(false),
    );
  }
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-bottom">
      <span className="min-w-0 font-mono text-small wrap-anywhere select-all">{text}</span>
      <button
        type="button"
        aria-label={done ? t('copied') : `${t('copy')}: ${label}`}
        title={done ? t('copied') : t('copy')}
        onClick={copy}
        className="-my-1 inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink"
      >
        <Icon name={done ? 'check' : 'copy'} className={done ? 'size-4 text-good-ink' : 'size-4'} />
      </button>
    </span>
  );
}
