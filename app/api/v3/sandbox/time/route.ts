import { keyAccess } from '@/lib/accounts/access/grant-access';
import { fail, ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { jsonBody } from '@/lib/http/api-body';
import { ignoredHeader } from '@/lib/http/ignored-members';
import { everyMethod } from '@/lib/http/route-module';
import { controlTime } from '@/lib/sandbox/control-time';
import { TIME_EXAMPLE, timeBody, timeSchema } from '@/lib/sandbox/time-schema';
import { webRuntime } from '@/lib/server/web-runtime';

const controlTimeRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/sandbox/time',
  summary: 'Control the time of the sandbox',
  docs: {
    operationId: 'controlSandboxTime',
    tag: 'Sandbox',
    description: `Only in the sandbox. \`advanceSeconds\` brings everything forward that is still to come: the expiry and the due date of open bills, what
simulated phones do next, and the next attempts of webhooks. The clock itself does not move, so the times of what has happened stay as they
are. A due date moves by whole days. A request moves at most 10,000 bills, payment requests and webhooks: while \`more\` is true, send \`cursor\`
as \`after\` with the next request, and the same \`advanceSeconds\`.

\`delayPercent\` makes simulated phones faster, and the pauses before a webhook is repeated shorter, until it is set to 100 again.`,
    example: { body: { advanceSeconds: 86_400, delayPercent: 10 }, answer: TIME_EXAMPLE },
  },
  keyScope: 'create',
  whileSuspended: false,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(() => timeBody, { mayBeEmpty: true }),
  response: timeSchema,
  inputFailures: ['advance_invalid', 'delay_invalid', 'after_invalid'],
  failures: ['not_found'],
  async handler({ runtime, scope, key, body, unknown }) {
    const { advanceSeconds = null, delayPercent = null, after = null } = body;
    const changed = await controlTime(runtime, keyAccess(key, scope), { advanceSeconds, delayPercent, after });
    if (changed.ok) return ok({ json: JSON.stringify(changed.value), headers: ignoredHeader(unknown) });
    if (changed.error === 'live') return fail({ code: 'not_found' });
    throw new Error(`the time of a sandbox could not be changed by the API: ${changed.error}`);
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(controlTimeRoute, webRuntime));
