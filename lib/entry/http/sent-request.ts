import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Settings } from '@/lib/platform/config/settings';
import { check } from '@/lib/platform/core/check';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { JsonNumber } from '@/lib/platform/core/json-number';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { API_BODY_MAX_BYTES, type BodyFailure } from './body';
import type { HeaderReader } from './request-facts';

/** What an API route reads of a request. The request comes from Node's server, or from the request log. */
export interface SentRequest {
  readonly method: string;
  /** The path exactly as the client sent it, without the query. */
  readonly path: string;
  /** The path and the query. */
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

/** The parsed body and Idempotency-Key of a request. */
interface SentBody<Body> {
  readonly body: Body;
  readonly idempotencyKey: string | null;
  /** The names of JSON members in the body that the schema does not contain. They are ignored. */
  readonly unknown: readonly string[];
}

/** How a route reads its body. */
export interface BodyDeclaration<Body> {
  /** Returns the body's schema, which depends on settings. Null if the route reads no body. */
  readonly schema: ((settings: Settings) => z.ZodObject) | null;
  /** Whether the body must be sent. */
  readonly required: boolean;
  readonly maxBytes: number;
  /** The schema of the headers that say how the body is to be treated, such as Idempotency-Key. */
  readonly headers: z.ZodObject;
  /** The failure codes of reading the body, before its members are checked. */
  readonly failures: readonly FailureCode[];
  readonly read: (request: SentRequest, settings: Settings) => Promise<Result<SentBody<Body>, Failure>>;
}

/** The declaration of a route that reads no body. */
export const NO_BODY: BodyDeclaration<null> = {
  schema: null,
  required: false,
  maxBytes: 0,
  headers: z.object({}),
  failures: [],
  read: async () => ok({ body: null, idempotencyKey: null, unknown: [] }),
};

const idempotencyKeySchema = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, { error: 'idempotency_key_malformed' })
  .meta({
    minLength: 1,
    maxLength: 255,
    description: 'Your name for this request, for example the order number, in printable ASCII characters. It makes a retry safe.',
    examples: ['order-1'],
  });
const sentKeySchema = idempotencyKeySchema.nullable();

interface JsonBodyOptions {
  /** Whether a request without a body is handled like a request with an empty object. */
  readonly mayBeEmpty?: boolean;
  /** Whether the request can have an Idempotency-Key, or must have one. */
  readonly keyed?: boolean | 'required';
  readonly maxBytes?: number;
  /** The member that contains a list of objects, and the members of these objects whose numbers become JsonNumbers, too. */
  readonly rows?: ListedNumbers;
}

const KEY_FAILURES: readonly FailureCode[] = ['idempotency_key_malformed'];
const KEY_REQUIRED: readonly FailureCode[] = ['idempotency_key_required'];

/** Declares a JSON object as body. The schema gets each number at the top level as a JsonNumber, which keeps its exact text. */
export function jsonBody<Schema extends z.ZodObject>(
  schema: (settings: Settings) => Schema,
  { mayBeEmpty = false, keyed = true, maxBytes = API_BODY_MAX_BYTES, rows }: JsonBodyOptions = {},
): BodyDeclaration<z.output<Schema>> {
  return {
    schema,
    required: !mayBeEmpty,
    maxBytes,
    headers: z.object(keyed ? { 'Idempotency-Key': keyed === 'required' ? idempotencyKeySchema : idempotencyKeySchema.optional() } : {}),
    failures: [
      'content_type_unsupported',
      'content_encoding_unsupported',
      'body_too_large',
      'body_incomplete',
      ...(keyed ? KEY_FAILURES : []),
      ...(keyed === 'required' ? KEY_REQUIRED : []),
      'body_not_json',
      'body_not_object',
    ],
    async read(request, settings) {
      const type = request.headers.get('content-type');
      if (type !== null && !/^\s*application\/json\s*(;|$)/i.test(type)) return fail({ code: 'content_type_unsupported' });
      const encoding = request.headers.get('content-encoding');
      if (encoding !== null && encoding.toLowerCase() !== 'identity') return fail({ code: 'content_encoding_unsupported' });
      const bytes = await request.readBody(maxBytes);
      if (!bytes.ok) return fail({ code: bytes.error });
      const idempotencyKey = check(sentKeySchema, keyed ? request.headers.get('idempotency-key') : null);
      if (!idempotencyKey.ok) return idempotencyKey;
      if (keyed === 'required' && idempotencyKey.value === null) return fail({ code: 'idempotency_key_required' });
      const members = schema(settings);
      const names = Object.keys(members.shape);
      const json = mayBeEmpty && bytes.value.length === 0 ? ok({}) : parseJsonObject(bytes.value, names, rows);
      if (!json.ok) return fail({ code: json.error });
      const body = check(members, json.value);
      const unknown = unknownMembers(json.value, names);
      return body.ok
        ? ok({ body: body.value, idempotencyKey: idempotencyKey.value, unknown })
        : fail({ ...body.error, headers: ignoredHeader(unknown) });
    },
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A member that contains a list of objects, and the members of these objects whose numbers are kept exactly. */
interface ListedNumbers {
  readonly member: string;
  readonly names: readonly string[];
}

/**
 * Parses a JSON object. Numbers in the members `names`, and in the members of the objects listed in `rows`, become JsonNumber objects,
 * which keep the source text. Returns a failure for invalid UTF-8, invalid JSON, too deep nesting, or JSON that is not an object.
 */
function parseJsonObject(body: Uint8Array, names: readonly string[], rows?: ListedNumbers): Result<Record<string, unknown>, FailureCode> {
  try {
    const text = utf8.decode(body);
    const exact = holdsFractions(text);
    const numbers: NumberTexts = new Map();
    const value: unknown = exact ? parseWithTexts(text, rows ? [...names, ...rows.names] : names, numbers) : JSON.parse(text);
    if (!isObject(value)) return fail('body_not_object');
    keepNumbers(value, names, numbers.get(value));
    const list = rows && value[rows.member];
    if (Array.isArray(list)) for (const row of list) if (isObject(row)) keepNumbers(row, rows?.names ?? [], numbers.get(row));
    return ok(value);
  } catch (error) {
    // Deeply nested arrays exhaust the stack, which throws a RangeError.
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) return fail('body_not_json');
    throw error;
  }
}

function keepNumbers(object: Record<string, unknown>, names: readonly string[], texts: ReadonlyMap<string, string> | undefined): void {
  for (const name of names) {
    const member = object[name];
    if (typeof member === 'number') object[name] = new JsonNumber(texts?.get(name) ?? String(member));
  }
}

/** Returns whether JSON.parse could round a number in the text: a number with a fraction, an exponent, or at least 16 digits. */
function holdsFractions(text: string): boolean {
  return /\d[.eE]|\d{16}/.test(text);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// JSON.parse passes the source text of each primitive to its reviver (ECMAScript 2026, Node 22 and later).
type SourceReviver = (this: object, key: string, value: unknown, context: { source?: string }) => unknown;
declare global {
  interface JSON {
    parse(text: string, reviver: SourceReviver): unknown;
  }
}

/** For each object, the source texts of its numbers, by the name of the member that has the number as its value. */
type NumberTexts = Map<unknown, Map<string, string>>;

/** Parses JSON, and collects the source texts of the numbers that are members with the given names. */
function parseWithTexts(text: string, names: readonly string[], into: NumberTexts): unknown {
  return JSON.parse(text, function (this: object, key, value, context) {
    if (typeof value === 'number' && context.source !== undefined && names.includes(key)) {
      const texts = into.get(this);
      if (texts) texts.set(key, context.source);
      else into.set(this, new Map([[key, context.source]]));
    }
    return value;
  });
}

const NAMES_MAX = 20;
const LENGTH_MAX = 40;

/** Returns the names of a body's members that its schema does not have, in the body's order. @param names the members of the schema */
export function unknownMembers(body: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  return Object.keys(body).filter((name) => !names.includes(name));
}

/**
 * Returns the header that lists ignored members: the first 20 names, each up to 40 characters. Characters that could be mistaken for a part
 * of the header are replaced by `?`.
 */
export function ignoredHeader(names: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return {};
  const shown = names.slice(0, NAMES_MAX).map((name) => name.slice(0, LENGTH_MAX).replace(/[^\w.$-]/g, '?') || '?');
  return { 'bili-ignored': shown.join(', ') };
}
