'use client';

import { useTranslations } from 'use-intl/react';
import { Button, buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { CURRENCY } from '@/lib/i18n/format';
import { KEPT_LOOKS } from './bill-looks';
import { grouped, shownMobile } from './entry-form';
import type { KeptBill } from './kept-bills';
import type { OutboxBill } from './use-outbox';

interface KeptPanelProps {
  readonly bill: OutboxBill;
  readonly onKeep: (bill: KeptBill) => void;
  readonly onDiscard: (id: string) => void;
  /** Where to sign in again, if the session has ended. */
  readonly signIn: string;
}

/** A bill that the server has not confirmed yet: what is known about it, and what the cashier can do. */
export function KeptPanel({ bill, onKeep, onDiscard, signIn }: KeptPanelProps) {
  const t = useTranslations('Counter');
  const { state, prompt, amount, mobile } = bill;
  const now = () => ({ ...bill, confirmedAt: Date.now() });
  return (
    <div className="grid justify-items-center gap-3 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-amber-soft text-amber-ink">
        <Icon name={KEPT_LOOKS[state].icon} className="size-8" />
      </span>
      <p className="text-figure tabular-nums">
        {CURRENCY} {grouped(amount)}
      </p>
      <div role="status" className="grid gap-1">
        <p className="text-title">{t(`kept_${state}`)}</p>
        <p className="text-muted">
          {t(state === 'kept' && prompt ? 'keptText_kept_prompt' : `keptText_${state}`, { mobile: shownMobile(mobile) })}
        </p>
      </div>
      {state === 'stale' && (
        <div className="grid w-full max-w-sm gap-2">
          <Button type="button" onClick={() => onKeep(now())}>
            {t('stillHere')}
          </Button>
          <Button type="button" look="plain" onClick={() => onKeep({ ...now(), prompt: false })}>
            {t('qrInstead')}
          </Button>
          <Button type="button" look="plain" onClick={() => onDiscard(bill.id)}>
            {t('discard')}
          </Button>
        </div>
      )}
      {state === 'kept' && !bill.sent && (
        <Button type="button" look="plain" onClick={() => onDiscard(bill.id)} className="w-full max-w-sm">
          {t('discard')}
        </Button>
      )}
      {state === 'signed_out' && (
        <a href={signIn} className={buttonClass('primary')}>
          {t('signIn')}
        </a>
      )}
    </div>
  );
}
