'use client';

import { useTranslations } from 'use-intl/react';
import { CopyButton } from '@/components/ui/copy-button';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';
import type { MadeKey } from './key-form';

interface ShownKeyProps {
  readonly made: MadeKey;
  readonly title: string;
  /** Where to go on, loaded anew. */
  readonly next: { readonly href: string; readonly text: string };
}

/** A new key with its secret, shown this once. */
export function ShownSecret({ made, title, next }: ShownKeyProps) {
  const t = useTranslations('Keys');
  return (
    <Focused label={title}>
      <Notice tone="good" title={title}>
        <p>{t('createdText')}</p>
        {made.note && <p>{made.note}</p>}
      </Notice>
      <Shown label={t('keyId')} value={made.keyId} />
      <Shown label={t('secret')} value={made.secret} />
      <Shown label={t('tryIt')} value={made.curl} />
      <p>
        <a href={next.href} className="font-semibold text-brand underline">
          {next.text}
        </a>
      </p>
    </Focused>
  );
}

function Shown({ label, value }: { readonly label: string; readonly value: string }) {
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
