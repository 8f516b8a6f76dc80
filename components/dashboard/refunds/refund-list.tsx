import { ResultNotice } from '@/components/dashboard/result-notice';
import { Badge } from '@/components/ui/badge';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { ButtonLink, TextLink } from '@/components/ui/links';
import type { Refundable } from '@/lib/backoffice/refunds/show-refunds';
import type { FormAction, PlainAction } from '@/lib/entry/server/form-action';
import { isOpenRefund, STOPPABLE } from '@/lib/gateway/refund-states/rules';
import type { RefundView } from '@/lib/gateway/refunds/list-refunds';
import { isProven, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { formatAmount, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { ReturnForm } from './refund-forms';
import { outcomeText, personText, REFUND_LOOKS, wayText } from './refund-texts';

/** The actions of the forms about refunds. */
interface RefundDecisions {
  readonly approve: PlainAction;
  readonly stop: PlainAction;
  readonly returned: FormAction<'how' | 'day'>;
}

interface RefundListProps {
  readonly decisions: RefundDecisions;
  readonly refunds: readonly RefundView[];
  readonly access: MerchantAccess;
  /** The bill of the page; null on the page of all refunds, where each refund has a link to its bill. */
  readonly bill: string | null;
  /** Returns the address of a page of the merchant's environment. */
  readonly path: (page: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

/** Refunds with their states, and with what the viewer may do about them. */
export function RefundList({ refunds, ...shared }: RefundListProps) {
  return (
    <ul className="divide-y divide-line">
      {refunds.map((refund) => (
        <li key={refund.id} className="grid gap-1 py-3 first:pt-0 last:pb-0 wrap-anywhere">
          <RefundFacts refund={refund} {...shared} />
          <RefundActions refund={refund} {...shared} />
        </li>
      ))}
    </ul>
  );
}

type RefundItemProps = Omit<RefundListProps, 'refunds'> & { readonly refund: RefundView };

function RefundFacts({ refund, bill, path, locale }: RefundItemProps) {
  const t = translator(locale, 'RefundList');
  const { state, amount, billId, reference, receiptOfPayment, requestedBy, createdAt, reason, receipt, source } = refund;
  const outcome = outcomeText(refund, locale);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong className="tabular-nums">{formatMoney(amount)}</strong>
        <Badge {...REFUND_LOOKS[state]} text={t(`state_${state}`)} />
      </p>
      {bill === null && (
        <p>
          {billId !== null && reference !== null ? (
            <TextLink href={path(`bills/${billId}`)}>{t('ofBill', { reference })}</TextLink>
          ) : (
            t('ofPayment', { receipt: receiptOfPayment })
          )}
        </p>
      )}
      <p>{wayText(refund, locale)}</p>
      <p className="text-sm">{t('reason', { reason })}</p>
      <p className="text-sm text-muted">{t('asked', { name: personText(requestedBy, locale), time: formatInstant(createdAt, locale) })}</p>
      {outcome && <p className="text-sm text-muted">{outcome}</p>}
      {receipt !== null && (source === null || source === 'provider') && <p className="text-sm text-muted">{t('receipt', { receipt })}</p>}
    </>
  );
}

function RefundActions({ refund, decisions, access, bill, path, now, locale }: RefundItemProps) {
  const t = translator(locale, 'RefundList');
  const { id, state, requestedById, amount } = refund;
  if (!may(access, 'refunds.change') || !isOpenRefund(state)) return null;
  const hidden = { bill: bill ?? '', refund: id };
  const about = formatMoney(amount);
  const own = requestedById === access.user.id;
  const here = path(bill === null ? 'refunds' : `bills/${bill}`);
  return (
    <div className="mt-1 flex flex-wrap items-start gap-2 empty:hidden">
      {state === 'ASKED' && own && <p className="w-full text-sm">{t('own')}</p>}
      {state === 'ASKED' &&
        !own &&
        (isProven(access, now) ? (
          <ActionForm action={decisions.approve} hidden={hidden} className="contents">
            <SubmitButton>
              {t('approve')} <span className="sr-only">{about}</span>
            </SubmitButton>
          </ActionForm>
        ) : (
          <ButtonLink href={`${here}?refund=prove#confirm`}>{t('approveProof')}</ButtonLink>
        ))}
      {state === 'APPROVED' && (
        <ReturnForm
          action={decisions.returned}
          bill={bill ?? ''}
          refund={id}
          today={eastAfricanDay(now)}
          title={t('returned')}
          about={about}
        />
      )}
      {STOPPABLE.includes(state) && (
        <ActionForm action={decisions.stop} hidden={hidden} className="contents">
          <SubmitButton look="plain">
            {t(state === 'ASKED' && !own ? 'decline' : 'cancel')} <span className="sr-only">{about}</span>
          </SubmitButton>
        </ActionForm>
      )}
    </div>
  );
}

const GOOD = ['asked_ASKED', 'asked_APPROVED', 'asked_QUEUED', 'approved', 'stopped', 'returned'] as const;
const BAD = ['refund_state_changed', 'own_refund', 'not_found', 'not_allowed', 'second_factor_due', 'not_proven'] as const;

/** The result of an action about a refund, which the redirect reports. */
export function RefundResult({ result, locale }: { readonly result: string | null; readonly locale: Locale }) {
  const t = translator(locale, 'RefundList');
  const good = GOOD.find((one) => one === result);
  const bad = BAD.find((one) => one === result);
  if (good) return <ResultNotice text={t(`told_${good}`)} />;
  return bad ? <ResultNotice text={t(bad)} good={false} /> : null;
}

/**
 * Returns the payments as the form for a refund offers them.
 * @param excess proposes at most this amount of the first payment, senti. Null to propose all that is left.
 */
export function refundableOptions(payments: readonly Refundable[], excess: bigint | null, locale: Locale) {
  const t = translator(locale, 'RefundForm');
  return payments.map(({ payment, receipt, mobile, left }, index) => {
    const amount = formatMoney(left);
    return {
      value: payment,
      text: mobile === null ? t('paymentNoNumber', { amount, receipt }) : t('paymentOption', { amount, mobile, receipt }),
      amount: formatAmount(index === 0 && excess !== null && excess < left ? excess : left),
      most: amount,
    };
  });
}
