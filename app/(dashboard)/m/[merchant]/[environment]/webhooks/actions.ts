'use server';

import { redirect } from 'next/navigation';
import { formText, openAction, type Visit } from '@/lib/server/visit';
import { endOwnOverlap } from '@/lib/webhooks/endpoint/end-own-overlap';
import { pauseOwnEndpoint, resumeOwnEndpoint } from '@/lib/webhooks/endpoint/pause-own-endpoint';
import { cancelOwnRedelivery } from '@/lib/webhooks/redeliver/cancel-own-redelivery';
import { redeliverOwnWebhook } from '@/lib/webhooks/redeliver/redeliver-own-webhook';
import { startOwnRedelivery } from '@/lib/webhooks/redeliver/start-own-redelivery';

/** Pauses or resumes the calls to the merchant's server. */
export async function pauseAction(form: FormData): Promise<void> {
  const { runtime, access, address, path } = await openAction(form, 'webhooks');
  const resume = formText(form, 'do') === 'resume';
  const done = await (resume ? resumeOwnEndpoint : pauseOwnEndpoint)(runtime, access, address);
  say(path, 'webhooks', done.ok ? (resume ? 'resumed_done' : 'paused_done') : done.error);
}

/** Sends one delivery again. */
export async function redeliverAction(form: FormData): Promise<void> {
  const { runtime, access, address, path } = await openAction(form, 'webhooks/deliveries');
  const id = formText(form, 'delivery');
  const done = await redeliverOwnWebhook(runtime, access, { id, address });
  say(path, `webhooks/deliveries/${encodeURIComponent(id)}`, done.ok ? 'redelivered' : done.error);
}

/** Starts a run that sends many again, once its maker has seen how many there are. */
export async function startRunAction(form: FormData): Promise<void> {
  const { runtime, access, address, path } = await openAction(form, 'webhooks/resend');
  const states = form.getAll('state').filter((state) => typeof state === 'string');
  const order = { from: formText(form, 'from'), to: formText(form, 'to'), states, perSecond: formText(form, 'perSecond') };
  const started = await startOwnRedelivery(runtime, access, { order, dryRun: false, address });
  if (!started.ok) say(path, 'webhooks/resend', started.error);
  else redirect(path(`webhooks/resend/${started.value.id}`));
}

/** Ends a run that sends many again. */
export async function cancelRunAction(form: FormData): Promise<void> {
  const { runtime, access, address, path } = await openAction(form, 'webhooks/resend');
  const id = formText(form, 'run');
  const done = await cancelOwnRedelivery(runtime, access, { id, address });
  const page = `webhooks/resend/${encodeURIComponent(id)}`;
  if (done.ok) redirect(path(`${page}?takenBack=${done.value.takenBack}`));
  say(path, page, done.error);
}

/** Has the old one of two secrets sign no more. */
export async function endOverlapAction(form: FormData): Promise<void> {
  const { runtime, access, address, path } = await openAction(form, 'webhooks/secret');
  const done = await endOwnOverlap(runtime, access, address);
  say(path, 'webhooks/secret', done.ok ? 'ended' : done.error);
}

/** Shows a page again, with what came of it in its address. */
function say(path: Visit['path'], page: string, said: string): never {
  redirect(path(`${page}?said=${said}`));
}
