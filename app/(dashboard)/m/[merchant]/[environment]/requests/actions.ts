'use server';

import { redirect } from 'next/navigation';
import { API_ROUTES } from '@/app/api-routes';
import { replayRequest } from '@/lib/requests/replay/replay-request';
import { formText, openAction } from '@/lib/server/visit';

/** Sends a request of the sandbox's request log again, and redirects to the page of the new request. */
export async function replayAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'requests');
  const id = formText(form, 'request');
  const replayed = await replayRequest(runtime, access, { id, routes: API_ROUTES });
  if (!replayed.ok) redirect(path(`requests/${encodeURIComponent(id)}?result=${replayed.error}`));
  redirect(path(replayed.value.id === null ? 'requests?result=not_logged' : `requests/${replayed.value.id}?result=replayed`));
}
