'use server';

import { refresh } from 'next/cache';
import type { TestResult } from '@/components/dashboard/webhooks/endpoint/receiver-check';
import { countsText } from '@/components/dashboard/webhooks/run-progress';
import { describeFailure } from '@/lib/backoffice/delivery-log/describe-failure';
import { connectEndpoint, URL_MAX } from '@/lib/backoffice/receiver-check/connect-endpoint';
import { describeSetRefusal, describeTestRefusal } from '@/lib/backoffice/receiver-check/describe-check';
import { sendTestEvent } from '@/lib/backoffice/receiver-check/send-test-event';
import { describeFinding } from '@/lib/backoffice/signature-explainer/explain-rules';
import { explainSignature } from '@/lib/backoffice/signature-explainer/explain-signature';
import { formAction, joined, list, ofMerchant, plainAction, secret, text } from '@/lib/entry/server/form-action';
import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { withdrawProposal } from '@/lib/gateway/webhooks/endpoint/decide-proposal';
import { pauseEndpoint, resumeEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { endOverlap, rotateSecret } from '@/lib/gateway/webhooks/endpoint/rotate-secret';
import { revealSecrets } from '@/lib/gateway/webhooks/endpoint/show-secrets';
import { cancelRedelivery } from '@/lib/gateway/webhooks/redeliver/cancel-redelivery';
import { redeliverWebhook } from '@/lib/gateway/webhooks/redeliver/redeliver-webhook';
import { startRedeliveryFromForm } from '@/lib/gateway/webhooks/redeliver/start-redelivery';
import { formatExactInstant } from '@/lib/platform/i18n/format';
import { translator } from '@/lib/platform/i18n/translator';

const page = ofMerchant('webhooks');
const resendPage = ofMerchant('webhooks/resend');
const secretPage = ofMerchant('webhooks/secret');

export const pauseAction = plainAction(page, { do: text() }, async ({ runtime, access, back }, form) => {
  const resume = form.do === 'resume';
  const done = await (resume ? resumeEndpoint : pauseEndpoint)(runtime, access);
  return back(`result=${done.ok ? (resume ? 'resumed_done' : 'paused_done') : done.error}`);
});

/** Withdraws the proposal of a live webhook address that the operator has not approved or refused yet. */
export const withdrawAction = plainAction(page, {}, async ({ runtime, access, back }) => {
  const done = await withdrawProposal(runtime, access);
  return back(`result=${done.ok ? 'withdrawn' : done.error}`);
});

export const redeliverAction = plainAction(
  ofMerchant('webhooks/deliveries'),
  { delivery: text() },
  async ({ runtime, access, path }, { delivery }) => {
    const done = await redeliverWebhook(runtime, access, delivery);
    return path(`webhooks/deliveries/${encodeURIComponent(delivery)}?result=${done.ok ? 'redelivered' : done.error}`);
  },
);

const order = { from: text(), to: text(), perSecond: text() };

/** Starts a bulk redelivery. The member has already seen the number of its deliveries, which `countAction` returned. */
export const startRunAction = plainAction(resendPage, { ...order, state: list }, async (visit, { state: states, ...rest }) => {
  const { runtime, access, path, back } = visit;
  const started = await startRedeliveryFromForm(runtime, access, { order: { ...rest, states }, dryRun: false });
  return started.ok ? path(`webhooks/resend/${started.value.id}`) : back(`result=${started.error}`);
});

export const cancelRunAction = plainAction(resendPage, { run: text() }, async ({ runtime, access, path }, { run }) => {
  const done = await cancelRedelivery(runtime, access, run);
  const result = done.ok ? `returned=${done.value.returned}` : `result=${done.error}`;
  return path(`webhooks/resend/${encodeURIComponent(run)}?${result}`);
});

/** Ends the time after a rotation in which webhooks are signed with both secrets. From now on, only the new secret signs them. */
export const endOverlapAction = plainAction(secretPage, {}, async ({ runtime, access, back }) => {
  const done = await endOverlap(runtime, access);
  return back(`result=${done.ok ? 'ended' : done.error}`);
});

export const testAction = formAction(
  ofMerchant('webhooks/tests'),
  { status: text() },
  async ({ runtime, access, locale }, { status }): Promise<{ done: TestResult }> => {
    const t = translator(locale, 'Hooks');
    const sent = await sendTestEvent(runtime, access, { status: BILL_STATUSES.find((one) => one === status) });
    if (!sent.ok) return { done: { good: false, what: null, text: describeTestRefusal(locale, sent.error), excerpt: '' } };
    // The refreshed page contains the new test in its list of tests.
    refresh();
    const { failure, reference, url, status: answered, trace, excerpt } = sent.value;
    const said = failure
      ? `${t('testRefused')} ${describeFailure(locale, failure.errorClass, failure.errorData)}`
      : t('testAccepted', { status: String(answered), ms: String(trace.totalMs) });
    return { done: { good: failure === null, what: t('testWhat', { reference, url }), text: said, excerpt } };
  },
);

/** Sends a test webhook to the given address. If the receiver accepts it, sets the address in the sandbox, or proposes it in live. */
export const setAddressAction = formAction(page, { url: text(URL_MAX + 1) }, async ({ runtime, access, locale }, { url }) => {
  const t = translator(locale, 'Hooks');
  const set = await connectEndpoint(runtime, access, url);
  if (!set.ok) return { problems: { url: describeSetRefusal(locale, set.error) } };
  refresh();
  const { status, trace, endpointStatus } = set.value;
  const saved = t(endpointStatus === null ? 'proposed' : 'addressSaved', { status: String(status), ms: String(trace.totalMs) });
  const paused = endpointStatus === 'paused' ? ` ${translator(locale, 'Webhooks')('pausedText')}` : '';
  return { done: saved + paused };
});

/** The largest pasted text: everything that a form may have. */
const PASTED_MAX = 100_000;
const pasted = {
  // Browsers send every line break as CR LF.
  body: text(PASTED_MAX).transform((body) => body.replaceAll('\r\n', '\n')),
  headers: text(PASTED_MAX),
  secret,
  computed: text(),
};

/** Explains why a signature is rejected. The pasted values are not stored. */
export const explainAction = formAction(ofMerchant('webhooks/signature'), pasted, async ({ runtime, access, locale }, form) => {
  const found = await explainSignature(runtime, access, { ...form, secret: form.secret.text });
  return { done: found.ok ? found.value.map((finding) => describeFinding(locale, finding)) : [translator(locale, 'Hooks')(found.error)] };
});

/** Shows the current signing secrets. Only this answer contains them. */
export const showSecretAction = formAction(secretPage, {}, async ({ runtime, access, locale }) => {
  const t = translator(locale, 'Hooks');
  const shown = await revealSecrets(runtime, access);
  if (!shown.ok) return { problems: { all: t(shown.error) } };
  const current = { label: t('secretIs'), value: shown.value.secret };
  const { previous } = shown.value;
  if (!previous) return { done: [current] };
  return { done: [current, { label: t('previousIs', { until: formatExactInstant(previous.until, locale) }), value: previous.secret }] };
});

/** Rotates the signing secret. Only this answer contains the new secret. */
export const rotateAction = formAction(secretPage, { overlap: text() }, async ({ runtime, access, locale }, { overlap }) => {
  const t = translator(locale, 'Hooks');
  const rotated = await rotateSecret(runtime, access, { named: overlap });
  if (!rotated.ok) {
    const until = rotated.error.code === 'overlap_running' ? formatExactInstant(rotated.error.until, locale) : '';
    return { problems: { overlap: t(rotated.error.code, { until }) } };
  }
  // The page may still show the old secret as the current one. The refresh removes the old secret from the page.
  refresh();
  const { secret: created, previousUntil } = rotated.value;
  const note = previousUntil ? t('rotatedUntil', { until: formatExactInstant(previousUntil, locale) }) : t('rotatedNone');
  return { done: { secret: created, note } };
});

/** Counts the deliveries of a bulk redelivery without sending any. */
export const countAction = formAction(resendPage, { ...order, state: joined(' ') }, async ({ runtime, access, locale }, form) => {
  const { state, ...rest } = form;
  const states = state.split(' ').filter(Boolean);
  const found = await startRedeliveryFromForm(runtime, access, { order: { ...rest, states }, dryRun: true });
  if (!found.ok) return { problems: { all: translator(locale, 'Hooks')(found.error) } };
  return { done: countsText(found.value, locale) };
});
