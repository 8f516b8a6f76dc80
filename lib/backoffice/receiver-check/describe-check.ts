import { describeFailure } from '@/lib/backoffice/delivery-log/describe-failure';
import type { AccessRefusal } from '@/lib/identity/accounts/access/grant-access';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { CheckRefusal } from './check-receiver';
import type { StepJudgement } from './check-rules';
import type { ConnectRefusal } from './connect-endpoint';
import type { TestRefusal } from './send-test-event';

/** Describes a step of a check: `tried` says what was sent, `text` what the result means and what to do. */
export function describeStep(
  locale: Locale,
  { step, code, data, failure }: StepJudgement,
): { readonly tried: string; readonly text: string } {
  const t = translator(locale, 'ReceiverCheck');
  const text = t(code, { status: data.status ?? 0, seconds: data.seconds ?? 0 });
  const reason = failure ? describeFailure(locale, failure.errorClass, failure.errorData) : '';
  return { tried: t(`step_${step}`), text: reason === '' ? text : `${text} ${reason}` };
}

/** Explains why the sandbox address was not set. */
export function describeSetRefusal(locale: Locale, refusal: ConnectRefusal): string {
  const t = translator(locale, 'Hooks');
  if (refusal.kind === 'address') return t(`address_${refusal.reason}`);
  if (refusal.kind !== 'test_refused') return t(refusal.kind);
  const { failure } = refusal.test;
  return `${t('test_refused')} ${failure ? describeFailure(locale, failure.errorClass, failure.errorData) : ''}`;
}

/** Explains why a test webhook or a receiver check was refused. */
export function describeTestRefusal(locale: Locale, refusal: AccessRefusal | TestRefusal | CheckRefusal): string {
  if (refusal === 'not_allowed' || refusal === 'second_factor_due') return translator(locale, 'Hooks')(refusal);
  return translator(locale, 'ReceiverCheck')(`refusal_${refusal}`);
}
