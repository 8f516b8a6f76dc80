import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { NO_BODY } from '@/lib/http/api-body';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';
import { FEED_QUERY_FAILURES, feedJson, feedQuerySchema, feedSchema } from '@/lib/webhooks/feed/feed-schema';
import { readFeed } from '@/lib/webhooks/feed/read-feed';

const listEventsRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/events',
  summary: 'Read the event feed',
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
