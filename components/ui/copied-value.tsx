'use client';

import { useTranslations } from 'use-intl/react';
import { CopyButton } from './copy-button';

interface CopiedValueProps {
  /** The label of the value. */
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}

/** A value to copy: a click selects it, and a button copies it. */
export function CopiedValue({ label, value, hint }: CopiedValueProps) {
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
