'use server';

import { refresh } from 'next/cache';
import { countsText } from '@/components/dashboard/webhooks/counts-text';
import type { AddressState } from '@/components/dashboard/webhooks/endpoint/address-form';
import type { ExplainState } from '@/components/dashboard/webhooks/endpoint/explain-form';
import type { RotateState, SecretState } from '@/components/dashboard/webhooks/endpoint/secret-forms';
import type { TestState } from '@/components/dashboard/webhooks/endpoint/test-form';
import type { RedeliveryFormState } from '@/components/dashboard/webhooks/redelivery-form';
import { BILL_STATUSES } from '@/lib/bills/rules';
import { formatExactInstant } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';
import { connectEndpoint, URL_MAX } from '@/lib/webhooks/check/connect-endpoint';
import { describeSetRefusal, describeTestRefusal } from '@/lib/webhooks/check/describe-check';
import { sendTestEvent } from '@/lib/webhooks/check/send-test-event';
import { rotateSecret } from '@/lib/webhooks/endpoint/rotate-secret';
import { revealSecrets } from '@/lib/webhooks/endpoint/show-secrets';
import { describeFinding } from '@/lib/webhooks/explain/describe-finding';
import { explainSignature } from '@/lib/webhooks/explain/explain-signature';
import { describeFailure } from '@/lib/webhooks/log/describe-failure';
import { startRedeliveryFromForm } from '@/lib/webhooks/redeliver/start-redelivery';

export async function testAction(_before: TestState, form: FormData): Promise<TestState> {
  const { runtime, access, locale } = await openAction(form, 'webhooks/tests');
  const t = translator(locale, 'Hooks');
  const status = formText(form, 'status');
  const sent = await sendTestEvent(runtime, access, { status: BILL_STATUSES.find((one) => one === status) });
  if (!sent.ok) {
    const text = describeTestRefusal(locale, sent.error);
    return { status, result: { good: false, what: null, text, excerpt: '' } };
  }
  // The refreshed page contains the new test in its list of tests.
  refresh();
  const { failure, reference, url, status: answered, trace, excerpt } = sent.value;
  const text = failure
    ? `${t('testRefused')} ${describeFailure(locale, failure.errorClass, failure.errorData)}`
    : t('testAccepted', { status: String(answered), ms: String(trace.totalMs) });
  return { status, result: { good: failure === null, what: t('testWhat', { reference, url }), text, excerpt } };
}

/** Sends a test webhook to the given address. If the receiver accepts it, sets the address in the sandbox, or proposes it in live. */
export async function setAddressAction(_before: AddressState, form: FormData): Promise<AddressState> {
  const { runtime, access, locale } = await openAction(form, 'webhooks');
  const t = translator(locale, 'Hooks');
  const url = formText(form, 'url').slice(0, URL_MAX + 1);
  const set = await connectEndpoint(runtime, access, url);
  if (!set.ok) return { url, problem: describeSetRefusal(locale, set.error), saved: null };
  refresh();
  const { status, trace, endpointStatus } = set.value;
  const saved = t(endpointStatus === null ? 'proposed' : 'addressSaved', { status: String(status), ms: String(trace.totalMs) });
  const paused = endpointStatus === 'paused' ? ` ${translator(locale, 'Webhooks')('pausedText')}` : '';
  return { url, problem: null, saved: saved + paused };
}

/** Explains why a signature is rejected. The pasted values are not stored. */
export async function explainAction(_before: ExplainState, form: FormData): Promise<ExplainState> {
  const { runtime, access, locale } = await openAction(form, 'webhooks/signature');
  // Browsers send every line break as CR LF.
  const body = formText(form, 'body').replaceAll('\r\n', '\n');
  const typed = { body, headers: formText(form, 'headers'), computed: formText(form, 'computed') };
  const found = await explainSignature(runtime, access, { ...typed, secret: formText(form, 'secret') });
  const findings = found.ok ? found.value.map((finding) => describeFinding(locale, finding)) : [translator(locale, 'Hooks')(found.error)];
  return { ...typed, findings };
}

/** Shows the current signing secrets. Only this answer contains them. */
export async function showSecretAction(_before: SecretState, form: FormData): Promise<SecretState> {
  const { runtime, access, locale } = await openAction(form, 'webhooks/secret');
  const t = translator(locale, 'Hooks');
  const shown = await revealSecrets(runtime, access);
  if (!shown.ok) return { secrets: [], problem: t(shown.error) };
  const { secret, previous } = shown.value;
  const before = previous
    ? [{ label: t('previousIs', { until: formatExactInstant(previous.until, locale) }), value: previous.secret }]
    : [];
  return { secrets: [{ label: t('secretIs'), value: secret }, ...before], problem: null };
}

/** Rotates the signing secret. Only this answer contains the new secret. */
export async function rotateAction(_before: RotateState, form: FormData): Promise<RotateState> {
  const { runtime, access, locale } = await openAction(form, 'webhooks/secret');
  const t = translator(locale, 'Hooks');
  const overlap = formText(form, 'overlap');
  const rotated = await rotateSecret(runtime, access, { named: overlap });
  if (!rotated.ok) {
    const until = rotated.error.code === 'overlap_running' ? formatExactInstant(rotated.error.until, locale) : '';
    return { overlap, problem: t(rotated.error.code, { until }), created: null };
  }
  // The page may still show the old secret as the current one. The refresh removes the old secret from the page.
  refresh();
  const { secret, previousUntil } = rotated.value;
  const note = previousUntil ? t('rotatedUntil', { until: formatExactInstant(previousUntil, locale) }) : t('rotatedNone');
  return { overlap, problem: null, created: { secret, note } };
}

/** Counts the deliveries of a bulk redelivery without sending any. */
export async function countAction(_before: RedeliveryFormState, form: FormData): Promise<RedeliveryFormState> {
  const { runtime, access, locale } = await openAction(form, 'webhooks/resend');
  const t = translator(locale, 'Hooks');
  const states = form.getAll('state').filter((state) => typeof state === 'string');
  const order = { from: formText(form, 'from'), to: formText(form, 'to'), states, perSecond: formText(form, 'perSecond') };
  const found = await startRedeliveryFromForm(runtime, access, { order, dryRun: true });
  if (!found.ok) return { ...order, problem: t(found.error), counted: null };
  return { ...order, problem: null, counted: countsText(found.value, locale) };
}
