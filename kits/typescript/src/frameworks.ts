import { BiliWebhookError } from './errors.ts';
import type { Webhook, WebhookEvent, WebhookHeaders } from './webhook.ts';

/** Called for each verified webhook. If it throws, the answer is 500 and Bili sends the webhook again. */
export type WebhookHandler = (event: WebhookEvent) => void | Promise<void>;

const BODY_MAX = 64 * 1024;

/** Returns a route handler for Next.js, Hono (`c => handler(c.req.raw)`), Deno, Bun and everything else that uses Request and Response. */
export function fetchWebhook(webhook: Webhook, handler: WebhookHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.bodyUsed || request.body?.locked) refuseParsed();
    return new Response(null, { status: await process(webhook, handler, await readLimited(request.body), request.headers) });
  };
}

/** Returns null if the body is too large. Anybody can send a large body, so no more than the limit is kept in memory. */
async function readLimited(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  const reader = stream?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    length += part.value.length;
    if (length > BODY_MAX) {
      await reader?.cancel();
      return null;
    }
    parts.push(part.value);
  }
  return join(parts, length);
}

interface ExpressRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
}

interface ExpressResponse {
  setHeader(name: string, value: string): unknown;
  status(code: number): { end(): unknown };
}

/** Returns a handler for Express. It reads the raw body itself: register its route before `express.json()`. */
export function expressWebhook(webhook: Webhook, handler: WebhookHandler) {
  return async (request: ExpressRequest, response: ExpressResponse, next: (error: unknown) => void): Promise<void> => {
    try {
      const body = request.body instanceof Uint8Array ? request.body : isParsed(request.body) ? refuseParsed() : await readStream(request);
      // The rest of a body that is too large is not read, so the connection cannot be used again.
      if (body === null) response.setHeader('connection', 'close');
      response.status(await process(webhook, handler, body, request.headers)).end();
    } catch (error) {
      next(error);
    }
  };
}

interface FastifyRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

interface FastifyReply {
  code(status: number): { send(payload?: unknown): unknown };
}

interface FastifyScope {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void,
  ): unknown;
  removeAllContentTypeParsers(): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

/** Returns a plugin for Fastify: `app.register(fastifyWebhook('/bili', webhook, handler))`. It reads the raw body on its own route only. */
export function fastifyWebhook(path: string, webhook: Webhook, handler: WebhookHandler) {
  return async (scope: FastifyScope): Promise<void> => {
    // Anybody can send any type: the signature decides.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(path, async ({ body, headers }, reply) => {
      const raw = body instanceof Uint8Array ? body : isParsed(body ?? undefined) ? refuseParsed() : new Uint8Array();
      return reply.code(await process(webhook, handler, raw, headers)).send();
    });
  };
}

/** @param body null if it is too large. @returns the HTTP status of the answer to Bili. */
async function process(webhook: Webhook, handler: WebhookHandler, body: Uint8Array | null, headers: WebhookHeaders): Promise<number> {
  if (body === null || body.length > BODY_MAX) return 413;
  let event: WebhookEvent;
  try {
    event = await webhook.verify(body, headers);
  } catch (error) {
    if (error instanceof BiliWebhookError) return 401;
    throw error;
  }
  await handler(event);
  return 200;
}

/**
 * Returns whether a body parser has already read the body. If none has, the body is an empty object in Express 4 and undefined in Express
 * 5.
 */
function isParsed(body: unknown): boolean {
  return body !== undefined && !(typeof body === 'object' && body !== null && Object.keys(body).length === 0);
}

function refuseParsed(): never {
  throw new BiliWebhookError('body_not_raw', 'The body was parsed before the verification. Read the raw body on this route.');
}

/** Returns null if the body is too large. Leaves the rest of such a stream unread: to close it would also close the answer's connection. */
async function readStream(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream[Symbol.asyncIterator]();
  for (let part = await reader.next(); !part.done; part = await reader.next()) {
    length += part.value.length;
    if (length > BODY_MAX) return null;
    parts.push(part.value);
  }
  return join(parts, length);
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const body = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}
