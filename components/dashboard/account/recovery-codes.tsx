'use client';

import { useTranslations } from 'use-intl/react';
import { Button, buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly switchedOn: boolean;
}

/** New recovery codes, which are shown only once, and ways to store them. */
export function RecoveryCodes({ codes, switchedOn }: RecoveryCodesProps) {
  const t = useTranslations('Account');
  const text = codes.join('\n');
  return (
    <Focused label={t('codesShownTitle')}>
      {switchedOn && <p className="font-semibold">{t('twoIsOn')}</p>}
      <Notice tone="wait" title={t('codesShownTitle')} text={t('codesShownText')} />
      <ol aria-label={t('codesTitle')} className="grid grid-cols-1 gap-x-8 gap-y-2 rounded-lg bg-ground p-4 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2 print:hidden">
        <CopyButton value={text} text={t('copyAll')} />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Bili\n\n${text}\n`)}`}
          download="bili-recovery-codes.txt"
          className={buttonClass('plain')}
        >
          {t('download')}
        </a>
        <Button type="button" look="plain" onClick={() => window.print()}>
          {t('print')}
        </Button>
        <a href="/account" className={buttonClass('primary')}>
          {t('done')}
        </a>
      </div>
    </Focused>
  );
}
