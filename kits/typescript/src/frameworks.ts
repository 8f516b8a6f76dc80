import { BiliWebhookError } from './errors.ts';
import type { Webhook, WebhookEvent, WebhookHeaders } from './webhook.ts';

/** Called for each verified webhook. If it throws, the answer is 500 and Bili sends the webhook again. */
export type WebhookHandler = (event: WebhookEvent) => void | Promise<void>;

const BODY_MAX = 64 * 1024;

/** Returns a route handler for Next.js, Hono (`c => handler(c.req.raw)`), Deno, Bun and everything else that uses Request and Response. */
export function fetchWebhook(webhook: Webhook, handler: WebhookHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await readLimited(request.body);
    return new Response(null, { status: body === null ? 413 : await process(webhook, handler, body, request.headers) });
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
  status(code: number): { end(): unknown };
}

/** Returns a handler for Express. It reads the raw body itself: register its route before `express.json()`. */
export function expressWebhook(webhook: Webhook, handler: WebhookHandler) {
  return async (request: ExpressRequest, response: ExpressResponse, next: (error: unknown) => void): Promise<void> => {
    try {
      const body = request.body instanceof Uint8Array ? request.body : isParsed(request.body) ? refuseParsed() : await readStream(request);
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
  removeContentTypeParser(type: string): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

/** Returns a plugin for Fastify: `app.register(fastifyWebhook('/bili', webhook, handler))`. It reads the raw body on its own route only. */
export function fastifyWebhook(path: string, webhook: Webhook, handler: WebhookHandler) {
  return async (scope: FastifyScope): Promise<void> => {
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(path, async ({ body, headers }, reply) => {
      const raw = body instanceof Uint8Array ? body : refuseParsed();
      return reply.code(await process(webhook, handler, raw, headers)).send();
    });
  };
}

/** @returns the HTTP status of the answer to Bili. */
async function process(webhook: Webhook, handler: WebhookHandler, body: Uint8Array, headers: WebhookHeaders): Promise<number> {
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

async function readStream(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > BODY_MAX) throw new BiliWebhookError('body_too_large', 'The body is larger than 64 KiB');
    parts.push(part);
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
