import type { Look } from '@/components/ui/badge';
import type { HandSource } from '@/lib/gateway/ledger/rules';
import type { RefundState } from '@/lib/gateway/refund-states/rules';
import type { RefundPlan } from '@/lib/gateway/refunds/ask-refund';
import type { RefundView } from '@/lib/gateway/refunds/list-refunds';
import { formatDay, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { labelOf } from '@/lib/providers/registry';

export const REFUND_LOOKS: Readonly<Record<RefundState, Look>> = {
  ASKED: { tone: 'wait', icon: 'people' },
  APPROVED: { tone: 'wait', icon: 'person' },
  QUEUED: { tone: 'busy', icon: 'send' },
  SENDING: { tone: 'busy', icon: 'send' },
  UNKNOWN: { tone: 'wait', icon: 'question' },
  DONE: { tone: 'good', icon: 'check' },
  FAILED: { tone: 'quiet', icon: 'ban' },
};

/** Returns the name of an actor: `asha@example.com` for `user:asha@example.com`. The id of an API key tells people nothing. */
export function personText(actor: string, locale: Locale): string {
  return actor.startsWith('key:') ? translator(locale, 'RefundList')('apiKey') : actor.replace(/^\w+:/, '');
}

/** Returns how a person gave money back. */
export function howText(source: HandSource, locale: Locale): string {
  return translator(locale, 'RefundList')(`how_${source}`);
}

/** Returns where the money of a refund goes. */
export function wayText({ way, mobile, provider }: Pick<RefundView, 'way' | 'mobile' | 'provider'>, locale: Locale): string {
  const t = translator(locale, 'RefundList');
  if (way === 'hand') return mobile === null ? t('hand') : t('handTo', { mobile });
  return mobile === null ? t('toPayer', { provider: labelOf(provider) }) : t('to', { mobile, provider: labelOf(provider) });
}

/** The failures with a text of their own. The others differ only for the operator. */
const FAILURES = ['insufficient_funds', 'provider_unavailable'] as const;

/** Returns why a refund failed, or who stopped it. */
export function refundFailureText(
  { reason, by }: { readonly reason: string | null; readonly by: string },
  at: Date,
  locale: Locale,
): string {
  const t = translator(locale, 'RefundList');
  const time = formatInstant(at, locale);
  if (reason === 'declined' || reason === 'cancelled') return t(reason, { name: personText(by, locale), time });
  return t('failed', { reason: t(`failed_${FAILURES.find((one) => one === reason) ?? 'other'}`), time });
}

/** Returns what became of a refund, or null while nothing has. */
export function outcomeText(refund: RefundView, locale: Locale): string | null {
  const t = translator(locale, 'RefundList');
  const { state, settledAt, decidedBy, source, happenedAt, failureReason } = refund;
  if (state === 'FAILED' && settledAt) return refundFailureText({ reason: failureReason, by: decidedBy ?? '' }, settledAt, locale);
  if (state === 'DONE' && settledAt) {
    if (source === null || source === 'provider' || decidedBy === null) return t('done', { time: formatInstant(settledAt, locale) });
    return t('doneBy', {
      name: personText(decidedBy, locale),
      day: formatDay(happenedAt ?? settledAt, locale),
      how: howText(source, locale),
    });
  }
  return decidedBy === null ? null : t('approved', { name: personText(decidedBy, locale) });
}

/** What a person confirms before a refund is asked for. */
export interface PlanTexts {
  readonly title: string;
  readonly lines: readonly string[];
  readonly button: string;
}

/** Returns the texts of a plan. @param chosen whether the person has chosen to give the money back by hand. */
export function describePlan(plan: RefundPlan, chosen: boolean, locale: Locale): PlanTexts {
  const t = translator(locale, 'RefundForm');
  const { way, mobile, needsSecond } = plan;
  const provider = labelOf(plan.provider ?? '');
  const network = mobile === null ? t('plan_payer', { provider }) : t('plan_network', { provider, mobile });
  return {
    title: t('checkTitle', { amount: formatMoney(plan.amount) }),
    lines: [
      ...(needsSecond ? [t('plan_second')] : []),
      ...(way === 'hand' && !chosen ? [t('plan_onlyHand', { provider })] : []),
      way === 'hand' ? t('plan_hand') : network,
    ],
    button: t(needsSecond ? 'sendSecond' : way === 'hand' ? 'sendHand' : 'sendNetwork'),
  };
}
