import { type ApiRuntime, answerRequest } from '@/lib/entry/http/api';
import type { Reply, SentRequest } from '@/lib/entry/http/sent-request';
import { SEND_PATH } from '@/lib/entry/openapi/samples';

/**
 * Answers a request that a page of the documentation sends to `SEND_PATH` and a path of the API: always in the sandbox, whichever base
 * address serves the page. So the page needs no other origin.
 */
export function answerFromDocs(
  runtime: ApiRuntime,
  { headers, path, url, ...request }: SentRequest,
  matched: Parameters<typeof answerRequest>[2],
): Promise<Reply> {
  const { environmentOf, settings } = runtime;
  // A request to an unknown host is refused, as everywhere.
  const host = environmentOf(headers) === undefined ? headers.get('host') : settings.SANDBOX_BASE_URL.host;
  const sent: SentRequest = {
    ...request,
    path: path.slice(SEND_PATH.length),
    url: url.slice(SEND_PATH.length),
    headers: { get: (name) => (name === 'host' ? host : headers.get(name)) },
  };
  return answerRequest(runtime, sent, matched);
}
