'use client';

import { useTranslations } from 'use-intl/react';
import { buttonClass } from '@/components/ui/button';
import { CopiedValue } from '@/components/ui/copied-value';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { CashierLink } from './cashier-link';

/** The new link of a cashier with the ways to send it. The link is shown only once. */
export function LinkReady({ name, link, whatsapp, sms }: CashierLink) {
  const t = useTranslations('Cashiers');
  return (
    <div className="grid max-w-xl gap-3">
      <Notice tone="good" role="status" title={t('readyTitle', { name })} text={t('readyText')} />
      <div className="grid gap-2 sm:grid-cols-2">
        <a href={whatsapp} target="_blank" rel="noopener noreferrer" className={buttonClass('primary')}>
          <Icon name="share" className="size-5" />
          {t('whatsapp')}
        </a>
        <a href={sms} className={buttonClass('plain')}>
          <Icon name="phone" className="size-5" />
          {t('sms')}
        </a>
      </div>
      <CopiedValue label={t('link')} value={link} />
    </div>
  );
}
