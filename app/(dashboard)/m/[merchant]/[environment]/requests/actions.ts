'use server';

import { API_ROUTES } from '@/app/api/v3/api-routes';
import { replayRequest } from '@/lib/entry/http/replay-request';
import { ofMerchant, plainAction, text } from '@/lib/entry/server/form-action';

/** Sends a request of the sandbox's request log again, and redirects to the page of the new request. */
export const replayAction = plainAction(ofMerchant('requests'), { request: text() }, async ({ runtime, access, path }, { request: id }) => {
  const replayed = await replayRequest(runtime, access, { id, routes: API_ROUTES });
  if (!replayed.ok) return path(`requests/${encodeURIComponent(id)}?result=${replayed.error}`);
  return path(replayed.value.id === null ? 'requests?result=not_logged' : `requests/${replayed.value.id}?result=replayed`);
});
