import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { NO_BODY } from '@/lib/http/api-body';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';
import { EVENT_EXAMPLE, FEED_QUERY_FAILURES, feedJson, feedQuerySchema, feedSchema } from '@/lib/webhooks/feed/feed-schema';
import { readFeed } from '@/lib/webhooks/feed/read-feed';

const listEventsRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/events',
  summary: 'Read the event feed',
  docs: {
    operationId: 'listEvents',
    tag: 'Events',
    description: `Returns the events of all bills, for a server that cannot receive webhooks. Begin without \`after\`. Process the events, then store the
\`cursor\` of the answer, and send it as \`after\` with the next request. If \`more\` is true, send the next request at once.

Each event appears once, and the events of one bill are in order.`,
    example: { query: { after: '0', limit: 100 }, answer: { events: [EVENT_EXAMPLE], cursor: '17', more: false } },
  },
  keyScope: 'events',
  whileSuspended: true,
  params: NO_PARAMETERS,
  query: feedQuerySchema,
  body: NO_BODY,
  response: feedSchema,
  inputFailures: FEED_QUERY_FAILURES,
  failures: ['after_invalid'],
  async handler({ runtime, scope, query }) {
    const page = await readFeed(runtime, scope, query);
    return page.ok ? ok({ json: feedJson(page.value) }) : page;
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(listEventsRoute, webRuntime));
