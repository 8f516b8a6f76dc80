'use client';

import { useTranslations } from 'use-intl/react';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';

/** What came of an invitation: it was mailed, or its link is to be handed over. The link lives in this answer alone. */
export interface Sent {
  readonly email: string;
  readonly link: string | null;
}

export function LinkOnce({ email, link }: Sent) {
  const t = useTranslations('Team');
  const shell = useTranslations('Shell');
  if (link === null) {
    return (
      <Notice tone="good" title={t('mailedTitle')} role="status">
        <p>{t('mailedText', { email })}</p>
      </Notice>
    );
  }
  return (
    <div className="grid gap-3">
      <Notice tone="wait" title={t('linkTitle')} role="status">
        <p>{t('linkText', { email })}</p>
      </Notice>
      <div>
        <p className="flex items-center justify-between gap-3">
          <span className="font-semibold">{t('link')}</span>
          <CopyButton value={link} label={`${shell('copy')}: ${t('link')}`} copy={shell('copy')} copied={shell('copied')} />
        </p>
        <code className="mt-1 block rounded-lg bg-ground p-3 text-sm wrap-anywhere select-all" data-shown="link">
          {link}
        </code>
      </div>
    </div>
  );
}
