'use server';

import { redirect } from 'next/navigation';
import { formText, openAction, type Visit } from '@/lib/server/visit';
import { withdrawProposal } from '@/lib/webhooks/endpoint/decide-proposal';
import { pauseEndpoint, resumeEndpoint } from '@/lib/webhooks/endpoint/pause-endpoint';
import { endOverlap } from '@/lib/webhooks/endpoint/rotate-secret';
import { cancelRedelivery } from '@/lib/webhooks/redeliver/cancel-redelivery';
import { redeliverWebhook } from '@/lib/webhooks/redeliver/redeliver-webhook';
import { startRedeliveryFromForm } from '@/lib/webhooks/redeliver/start-redelivery';

export async function pauseAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks');
  const resume = formText(form, 'do') === 'resume';
  const done = await (resume ? resumeEndpoint : pauseEndpoint)(runtime, access);
  redirectWithResult(path, 'webhooks', done.ok ? (resume ? 'resumed_done' : 'paused_done') : done.error);
}

/** Withdraws the proposal of a live webhook address that the operator has not approved or refused yet. */
export async function withdrawAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks');
  const done = await withdrawProposal(runtime, access);
  redirectWithResult(path, 'webhooks', done.ok ? 'withdrawn' : done.error);
}

export async function redeliverAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks/deliveries');
  const id = formText(form, 'delivery');
  const done = await redeliverWebhook(runtime, access, id);
  redirectWithResult(path, `webhooks/deliveries/${encodeURIComponent(id)}`, done.ok ? 'redelivered' : done.error);
}

/** Starts a bulk redelivery. The member has already seen the number of its deliveries, which `countAction` returned. */
export async function startRunAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks/resend');
  const states = form.getAll('state').filter((state) => typeof state === 'string');
  const order = { from: formText(form, 'from'), to: formText(form, 'to'), states, perSecond: formText(form, 'perSecond') };
  const started = await startRedeliveryFromForm(runtime, access, { order, dryRun: false });
  if (!started.ok) redirectWithResult(path, 'webhooks/resend', started.error);
  else redirect(path(`webhooks/resend/${started.value.id}`));
}

export async function cancelRunAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks/resend');
  const id = formText(form, 'run');
  const done = await cancelRedelivery(runtime, access, id);
  const page = `webhooks/resend/${encodeURIComponent(id)}`;
  if (done.ok) redirect(path(`${page}?returned=${done.value.returned}`));
  redirectWithResult(path, page, done.error);
}

/** Ends the time after a rotation in which webhooks are signed with both secrets. From now on, only the new secret signs them. */
export async function endOverlapAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'webhooks/secret');
  const done = await endOverlap(runtime, access);
  redirectWithResult(path, 'webhooks/secret', done.ok ? 'ended' : done.error);
}

function redirectWithResult(path: Visit['path'], page: string, result: string): never {
  redirect(path(`${page}?result=${result}`));
}
