'use client';

import { useTranslations } from 'use-intl/react';
import { buttonClass } from './button';
import { useCopy } from './use-copy';

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
          : 'min-h-9 cursor-pointer rounded-lg border border-edge bg-surface px-3 text-sm font-semibold hover:bg-sunken'
      }
    >
      {done ? t('copied') : (text ?? t('copy'))}
    </button>
  );
}
