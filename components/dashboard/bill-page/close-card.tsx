import { Fold } from '@/components/ui/fold';
import type { FormAction } from '@/components/ui/forms/action-form';
import { Card } from '@/components/ui/layout';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { BillPlace } from '../place';
import { ReasonForm, type TypedState } from './reason-form';

interface CloseCardProps {
  readonly closed: boolean;
  /** Whether an attempt is open. The bill cannot be closed then. */
  readonly asked: boolean;
  readonly place: BillPlace;
  readonly close: FormAction<TypedState>;
  readonly reopen: FormAction<TypedState>;
  readonly locale: Locale;
}

export function CloseCard({ closed, asked, place, close, reopen, locale }: CloseCardProps) {
  const t = translator(locale, 'CloseBill');
  return (
    <Card id="close" title={t(closed ? 'reopen' : 'close')}>
      <p className="text-muted">{t(closed ? 'reopenText' : asked ? 'waitsForPrompt' : 'closeText')}</p>
      {closed ? (
        <ReasonForm key="reopen" action={reopen} place={place} button={t('reopenNow')} look="plain" />
      ) : (
        !asked && (
          <Fold title={t('closeNow')} look="danger" className="mt-2">
            <ReasonForm key="close" action={close} place={place} button={t('close')} look="danger" />
          </Fold>
        )
      )}
    </Card>
  );
}
