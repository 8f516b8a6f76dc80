'use client';

import { useTranslations } from 'use-intl/react';
import { CopyButton } from '@/components/ui/copy-button';

/** A secret that somebody asked to see. */
export function SecretValue({ label, value }: { readonly label: string; readonly value: string }) {
  const t = useTranslations('Shell');
  return (
    <div>
      <p className="flex items-center justify-between gap-3">
        <span className="font-semibold">{label}</span>
        <CopyButton value={value} label={`${t('copy')}: ${label}`} copy={t('copy')} copied={t('copied')} />
      </p>
      <code className="mt-1 block rounded-lg bg-ground p-3 text-sm wrap-anywhere select-all">{value}</code>
    </div>
  );
}
