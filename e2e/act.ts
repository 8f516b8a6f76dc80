import type { APIRequestContext, APIResponse } from '@playwright/test';
import type { Action } from '@/testing/surface/actions';

/** Calls a server action at a URL, with the request that the form of a page would send. */
export async function act(
  request: APIRequestContext,
  base: string,
  action: Action,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<APIResponse> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(`_1_${name}`, value);
  // This field comes last, as in React's own requests. It refers to the other fields, which must come first.
  body.append('0', JSON.stringify(action.takesState ? [null, '$K1'] : ['$K1']));
  return request.post(base + path, {
    headers: { 'next-action': action.id, 'sec-fetch-site': 'same-origin', origin: base },
    multipart: body,
    maxRedirects: 0,
  });
}
