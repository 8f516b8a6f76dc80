import type { FormAction } from '@/components/ui/forms/action-form';
import { Card } from '@/components/ui/layout';
import { toWholeShillings } from '@/lib/core/money';
import { WALLETS } from '@/lib/core/network';
import { formatMoney, groupDigits } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PromptOffer } from '@/lib/payments/prompts/offer-prompt';
import type { BillPlace } from '../place';
import { DownNetworks } from './down-networks';
import { PaymentRequestForm, type PaymentRequestState } from './payment-request-form';

interface PaymentRequestCardProps {
  readonly offer: PromptOffer;
  readonly place: BillPlace;
  readonly formId: string;
  readonly action: FormAction<PaymentRequestState>;
  readonly locale: Locale;
}

/** The form that sends a payment request, or the reason why none can be sent now. */
export function PaymentRequestCard({ offer, place, formId, action, locale }: PaymentRequestCardProps) {
  const t = translator(locale, 'AskPhone');
  if (offer.kind === 'paid' || offer.kind === 'closed') return null;
  if (offer.kind !== 'offered') {
    return (
      <Card id="ask" title={t('title')}>
        <p className="text-muted">{t(`why_${offer.kind}`)}</p>
      </Card>
    );
  }
  const { amounts, networks, down, mobile, payable } = offer;
  return (
    <Card id="ask" title={t('title')}>
      <p className="mb-4 text-muted">
        {t('text')} {amounts === null && t('all', { amount: formatMoney(payable) })}
      </p>
      {down.length > 0 && <DownNetworks networks={networks} down={down} locale={locale} />}
      <PaymentRequestForm
        action={action}
        place={place}
        formId={formId}
        first={{ mobile: mobile ?? '', network: '', amount: amounts ? groupDigits(toWholeShillings(amounts.proposed)) : '', problem: null }}
        networks={networks.map((network) => ({ value: network, text: WALLETS[network] }))}
        amountHint={amounts && t('amountHint', { min: formatMoney(amounts.min), max: formatMoney(amounts.max) })}
      />
    </Card>
  );
}
