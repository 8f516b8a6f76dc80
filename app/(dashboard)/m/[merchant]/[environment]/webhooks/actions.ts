'use server';

import { redirect } from 'next/navigation';
import { formText, openAction, type Visit } from '@/lib/server/visit';
import { endOverlap } from '@/lib/webhooks/endpoint/end-overlap';
import { pauseEndpoint, resumeEndpoint } from '@/lib/webhooks/endpoint/pause-endpoint';
import { cancelRedelivery } from '@/lib/webhooks/redeliver/cancel-redelivery';
import { redeliverWebhook } from '@/lib/webhooks/redeliver/redeliver-webhook';
import { startRedeliveryFromForm } from '@/lib/webhooks/redeliver/start-redelivery-from-form';

/** Pauses or resumes the calls to the merchant's server. */
export async function pauseAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks');
  const resume = formText(form, 'do') === 'resume';
  const done = await (resume ? resumeEndpoint : pauseEndpoint)(runtime, access);
  say(path, 'webhooks', done.ok ? (resume ? 'resumed_done' : 'paused_done') : done.error);
}

/** Sends one delivery again. */
export async function redeliverAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks/deliveries');
  const id = formText(form, 'delivery');
  const done = await redeliverWebhook(runtime, access, id);
  say(path, `webhooks/deliveries/${encodeURIComponent(id)}`, done.ok ? 'redelivered' : done.error);
}

/** Starts a run that sends many again, once its maker has seen how many there are. */
export async function startRunAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks/resend');
  const states = form.getAll('state').filter((state) => typeof state === 'string');
  const order = { from: formText(form, 'from'), to: formText(form, 'to'), states, perSecond: formText(form, 'perSecond') };
  const started = await startRedeliveryFromForm(runtime, access, { order, dryRun: false });
  if (!started.ok) say(path, 'webhooks/resend', started.error);
  else redirect(path(`webhooks/resend/${started.value.id}`));
}

/** Ends a run that sends many again. */
export async function cancelRunAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks/resend');
  const id = formText(form, 'run');
  const done = await cancelRedelivery(runtime, access, id);
  const page = `webhooks/resend/${encodeURIComponent(id)}`;
  if (done.ok) redirect(path(`${page}?takenBack=${done.value.takenBack}`));
  say(path, page, done.error);
}

/** Has the old one of two secrets sign no more. */
export async function endOverlapAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks/secret');
  const done = await endOverlap(runtime, access);
  say(path, 'webhooks/secret', done.ok ? 'ended' : done.error);
}

/** Shows a page again, with what came of it in its address. */
function say(path: Visit['path'], page: string, said: string): never {
  redirect(path(`${page}?said=${said}`));
}
