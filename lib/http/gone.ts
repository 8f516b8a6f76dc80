import type { ApiRuntime } from './api';
import { failureResponse } from './errors';
import { requestId } from './request-facts';

/** Answers every request to an API version that was removed. */
export function goneHandler(version: string, runtimeOf: () => ApiRuntime): (request: Request) => Promise<Response> {
  return async (request) => {
    const known = runtimeOf().environmentOf(request.headers) !== undefined;
    const response = failureResponse(
      known ? { code: 'version_gone', detail: version } : { code: 'base_address_unknown' },
      requestId(request.headers),
    );
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}
