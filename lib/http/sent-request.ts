import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, ok, type Result } from '@/lib/core/result';
import { type BodyFailure, readBody } from './body';
import { type HeaderReader, pathAsSent } from './request-facts';

/** What an API route reads of a request. The request comes from Node's server or, as a fetch Request, from Next.js. */
export interface SentRequest {
  readonly method: string;
  /** The path exactly as the client sent it, without the query. */
  readonly path: string;
  /** The URL with its query. If the request comes from Node's server, only the path and the query. */
  readonly url: string;
  readonly headers: HeaderReader;
  readonly readBody: (maxBytes: number) => Promise<Result<Uint8Array, BodyFailure>>;
  /** Returns the body if it has been read, otherwise null. */
  readonly bodyRead: () => Uint8Array | null;
}

/** The answer of an API route. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function fromFetch(request: Request): SentRequest {
  const { method, url, headers } = request;
  let read: Uint8Array | null = null;
  return {
    method,
    path: pathAsSent(request),
    url,
    headers,
    async readBody(maxBytes) {
      const body = await readBody(request, maxBytes);
      if (body.ok) read = body.value;
      return body;
    },
    bodyRead: () => read,
  };
}

export function toFetch({ status, headers, body }: Reply, method = 'GET'): Response {
  return new Response(method === 'HEAD' ? null : body, { status, headers });
}

/**
 * Reads a request of Node's server without creating a fetch Request, because creating a Request, its headers and a Response takes as much
 * time as all checks of the API together.
 */
export function fromNode(request: IncomingMessage, path: string): SentRequest {
  const { method = 'GET', url = '/' } = request;
  let read: Uint8Array | null = null;
  return {
    method,
    path,
    url,
    headers: nodeHeaders(request),
    readBody: (maxBytes) =>
      readNodeBody(request, maxBytes, (body) => {
        read = body;
      }),
    bodyRead: () => read,
  };
}

export function nodeHeaders({ headers }: IncomingMessage): HeaderReader {
  return {
    get(name) {
      const value = headers[name];
      return value === undefined || typeof value === 'string' ? (value ?? null) : value.join(', ');
    },
  };
}

/** Writes an answer. Node leaves out the body if the method is HEAD, and discards the unread part of the request. */
export function writeReply(response: ServerResponse, { status, headers, body }: Reply): void {
  const fields: (string | number)[] = ['content-length', Buffer.byteLength(body)];
  for (const [name, value] of Object.entries(headers)) fields.push(name, value);
  response.writeHead(status, fields).end(body);
}

function readNodeBody(
  request: IncomingMessage,
  maxBytes: number,
  onRead: (body: Uint8Array) => void,
): Promise<Result<Uint8Array, BodyFailure>> {
  const length = request.headers['content-length'];
  // A body that is too long is refused before it is read.
  if (length !== undefined && Number(length) > maxBytes) return Promise.resolve(fail('body_too_large'));
  // The client has already disconnected, so the request emits no more events.
  if (request.destroyed) return Promise.resolve(fail('body_incomplete'));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) return resolve(fail('body_too_large'));
      chunks.push(chunk);
    });
    request.once('end', () => {
      const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      onRead(body);
      resolve(ok(body));
    });
    // The client disconnected. After `end`, these events have no effect, because the promise is resolved already.
    request.once('error', () => resolve(fail('body_incomplete')));
    request.once('close', () => resolve(fail('body_incomplete')));
  });
}
