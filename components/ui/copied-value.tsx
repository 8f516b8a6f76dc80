'use client';

import { useState } from 'react';
import { useTranslations } from '@/components/ui/texts';
import { buttonClass } from './button';
import { Icon } from './icon';

/** A value to copy: a click selects it, and a button copies it. */
export function CopiedValue({ label, value, hint }: { readonly label: string; readonly value: string; readonly hint?: string }) {
  const t = useTranslations('Shell');
  return (
    <div>
      <p className="flex items-center justify-between gap-3">
        <span className="font-semibold">{label}</span>
        <CopyButton value={value} label={`${t('copy')}: ${label}`} />
      </p>
      <code className="mt-1 block rounded-lg bg-ground p-3 text-sm whitespace-pre-wrap wrap-anywhere select-all">{value}</code>
      {hint && <p className="mt-1 text-sm text-muted">{hint}</p>}
    </div>
  );
}

interface CopyButtonProps {
  readonly value: string;
  /** The text of the button. The default is Copy. */
  readonly text?: string;
  /** A description for screen readers if the text does not say what is copied. */
  readonly label?: string;
  /** Whether the button has the usual size of buttons, because it is next to others. By default it is smaller. */
  readonly full?: boolean;
}

/** Copies a value. If the browser forbids copying, nothing happens, and the value next to the button can be selected with a click. */
export function CopyButton({ value, text, label, full = false }: CopyButtonProps) {
  const t = useTranslations('Shell');
  const [done, copy] = useCopy(value);
  return (
    <button
      type="button"
      aria-label={done ? t('copied') : label}
      onClick={copy}
      className={
        full
          ? `${buttonClass('plain')} cursor-pointer`
          : 'min-h-control cursor-pointer rounded-lg border border-edge bg-surface px-3 text-sm font-semibold hover:bg-sunken'
      }
    >
      {done ? t('copied') : (text ?? t('copy'))}
    </button>
  );
}

interface CopiedTextProps {
  /** What the text is, for screen readers. */
  readonly label: string;
  readonly text: string;
}

/** A text within a line, with a button that copies it. A click on the text selects it, for browsers that cannot copy. */
export function CopiedText({ label, text }: CopiedTextProps) {
  const t = useTranslations('Shell');
  const [done, copy] = useCopy(text);
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-bottom">
      <span className="min-w-0 font-mono text-small wrap-anywhere select-all">{text}</span>
      <button
        type="button"
        aria-label={done ? t('copied') : `${t('copy')}: ${label}`}
        title={done ? t('copied') : t('copy')}
        onClick={copy}
        className="-my-3 inline-flex size-control shrink-0 cursor-pointer items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink"
      >
        <Icon name={done ? 'check' : 'copy'} className={done ? 'size-4 text-good-ink' : 'size-4'} />
      </button>
    </span>
  );
}

/** How long a button says that it has copied. */
const SHOWN_MS = 2_000;

/** Returns whether the text was just copied, and a function that copies it. If the browser forbids copying, nothing happens. */
function useCopy(text: string): readonly [boolean, () => Promise<void>] {
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
  return [done, copy];
}
