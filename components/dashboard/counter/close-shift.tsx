'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { Place } from '../place';
import type { CounterData } from './present-counter';

interface CloseShiftProps {
  readonly shift: NonNullable<CounterData['shift']>;
  readonly today: CounterData['today'];
  /** How many bills this device has not sent yet. If the shift is closed before they are sent, they will belong to the next shift. */
  readonly kept: number;
  readonly place: Place;
  readonly close: (form: FormData) => Promise<void>;
}

/** Closes the shift after the member has confirmed it, and leads to the summary for printing. */
export function CloseShift({ shift, today, kept, place, close }: CloseShiftProps) {
  const t = useTranslations('Counter');
  return (
    <Dialog
      trigger={
        <Button type="button" look="plain">
          <Icon name="lock" />
          {t('closeShift')}
        </Button>
      }
      title={t('closeTitle')}
      text={`${t('closeText', { ...shift, unpaid: shift.bills - shift.paid })} ${t('closeToday', { ...today })}`}
      close={t('cancel')}
    >
      {kept > 0 && <Notice tone="wait" text={t('closeKept', { kept })} />}
      <ActionForm action={close} hidden={{ ...place, shift: shift.id }} className="grid">
        <SubmitButton className="w-full">{t('closeNow')}</SubmitButton>
      </ActionForm>
    </Dialog>
  );
}
