'use client';

import { useTranslations } from 'use-intl/react';
import { CopiedValue } from '@/components/ui/copied-value';
import { Notice } from '@/components/ui/notice';

/** A sent invitation. If it could not be mailed, `link` must be passed on by hand. Only this answer contains it. */
export interface Sent {
  readonly email: string;
  readonly link: string | null;
}

export function InvitationLink({ email, link }: Sent) {
  const t = useTranslations('Team');
  if (link === null) {
    return <Notice tone="good" title={t('mailedTitle')} role="status" text={t('mailedText', { email })} />;
  }
  return (
    <div className="grid gap-3">
      <Notice tone="wait" title={t('linkTitle')} role="status" text={t('linkText', { email })} />
      <CopiedValue label={t('link')} value={link} />
    </div>
  );
}
