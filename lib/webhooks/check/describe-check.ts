import type { AccessRefusal } from '@/lib/accounts/access/grant-access';
import { type Locale, translator } from '@/lib/i18n/translator';
import { describeFailure } from '@/lib/webhooks/log/describe-failure';
import type { CheckRefusal } from './check-receiver';
import type { StepJudgement } from './check-rules';
import type { ConnectRefusal } from './connect-endpoint';
import type { TestRefusal } from './send-test-event';

/** @returns what was tried in a step, what came of it and what to do, in a sentence or two. */
export function describeStep(
  locale: Locale,
  { step, code, data, failure }: StepJudgement,
): { readonly tried: string; readonly text: string } {
  const say = translator(locale, 'ReceiverCheck');
  const text = say(code, { status: data.status ?? 0, seconds: data.seconds ?? 0 });
  const reason = failure ? describeFailure(locale, failure.errorClass, failure.errorData) : '';
  return { tried: say(`step_${step}`), text: reason === '' ? text : `${text} ${reason}` };
}

/** @returns why the sandbox's address was not set, in a sentence or two. */
export function describeSetRefusal(locale: Locale, refusal: ConnectRefusal): string {
  const t = translator(locale, 'Hooks');
  if (refusal.kind === 'address') return t(`address_${refusal.reason}`);
  if (refusal.kind !== 'test_refused') return t(refusal.kind);
  const { failure } = refusal.test;
  return `${t('test_refused')} ${failure ? describeFailure(locale, failure.errorClass, failure.errorData) : ''}`;
}

/** @returns why a test or a check was not made, in a sentence. */
export function describeTestRefusal(locale: Locale, refusal: AccessRefusal | TestRefusal | CheckRefusal): string {
  if (refusal === 'not_allowed' || refusal === 'second_factor_due') return translator(locale, 'Hooks')(refusal);
  return translator(locale, 'ReceiverCheck')(`refusal_${refusal}`);
}
