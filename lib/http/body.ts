import type { FailureCode } from '@/lib/core/failure';
import { JsonNumber } from '@/lib/core/json-number';
import { fail, ok, type Result } from '@/lib/core/result';

/** Why a body could not be read. */
export type BodyFailure = 'body_too_large' | 'body_incomplete';

/** The maximum body size of an API request or callback. */
export const API_BODY_MAX_BYTES = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body up to a limit. The limit also applies to chunked bodies, which announce no length.
 * Returns the bytes or a failure: `body_incomplete` if the client disconnected.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Result<Uint8Array<ArrayBuffer>, BodyFailure>> {
  const length = request.headers.get('content-length');
  // The size of the body need not be checked again: Node's HTTP parser never passes on more bytes than Content-Length says.
  if (length !== null && Number(length) > maxBytes) return fail('body_too_large');
  try {
    return length === null ? await readChunks(request, maxBytes) : ok(new Uint8Array(await request.arrayBuffer()));
  } catch (error) {
    if (!isAborted(error)) throw error;
    return fail('body_incomplete');
  }
}

/** Returns whether an error means that the client has disconnected. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || ('code' in error && error.code === 'ECONNRESET'));
}

async function readChunks(request: Request, maxBytes: number): Promise<Result<Uint8Array<ArrayBuffer>, BodyFailure>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return fail('body_too_large');
    chunks.push(chunk);
  }
  return ok(new Uint8Array(Buffer.concat(chunks)));
}

/** A member that contains a list of objects, and the members of these objects whose numbers are kept exactly. */
export interface ListedNumbers {
  readonly member: string;
  readonly names: readonly string[];
}

/**
 * Parses a JSON object. Numbers in the members `names`, and in the members of the objects listed in `rows`, become JsonNumber objects,
 * which keep the source text. Returns a failure for invalid UTF-8, invalid JSON, too deep nesting, or JSON that is not an object.
 */
export function parseJsonObject(
  body: Uint8Array,
  names: readonly string[],
  rows?: ListedNumbers,
): Result<Record<string, unknown>, FailureCode> {
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
function parseWithTexts(text: string, names: readonly string[], found: NumberTexts): unknown {
  return JSON.parse(text, function (this: object, key, value, context) {
    if (typeof value === 'number' && context.source !== undefined && names.includes(key)) {
      const texts = found.get(this);
      if (texts) texts.set(key, context.source);
      else found.set(this, new Map([[key, context.source]]));
    }
    return value;
  });
}
