import type { Failure } from '@/lib/core/failure';
import type { ApiRuntime } from './api';
import { failureResponse, withHelp } from './errors';
import { requestId } from './request-facts';

/** Answers every request to an API version that was removed. */
export function goneHandler(version: string, runtimeOf: () => ApiRuntime): (request: Request) => Promise<Response> {
  return async (request) => {
    const { environmentOf, settings } = runtimeOf();
    const failure: Failure =
      environmentOf(request.headers) === undefined ? { code: 'base_address_unknown' } : { code: 'version_gone', detail: version };
    const response = failureResponse(withHelp(failure, settings), requestId(request.headers));
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}
