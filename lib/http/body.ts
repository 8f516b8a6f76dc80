import type { FailureCode } from '@/lib/core/failure';
import { JsonNumber } from '@/lib/core/json-number';
import { fail, ok, type Result } from '@/lib/core/result';

/** The largest body of the API and of a callback. */
export const API_BODY_MAX_BYTES = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body under a limit, whatever Content-Length says.
 * @returns the bytes, or the failure: `body_incomplete` if the client went away while it sent them.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Result<Uint8Array<ArrayBuffer>, FailureCode>> {
  const length = request.headers.get('content-length');
  // The HTTP parser hands over no more than was announced.
  if (length !== null && Number(length) > maxBytes) return fail('body_too_large');
  try {
    return length === null ? await readChunks(request, maxBytes) : ok(new Uint8Array(await request.arrayBuffer()));
  } catch (error) {
    if (!isAborted(error)) throw error;
    return fail('body_incomplete');
  }
}

/** Node's error for a request whose client has gone away. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || ('code' in error && error.code === 'ECONNRESET'));
}

async function readChunks(request: Request, maxBytes: number): Promise<Result<Uint8Array<ArrayBuffer>, FailureCode>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return fail('body_too_large');
    chunks.push(chunk);
  }
  return ok(new Uint8Array(Buffer.concat(chunks)));
}

/**
 * Reads a JSON object. Each number among the named members becomes a JsonNumber, with the text that stands in the body.
 * @returns the object's members; what is not JSON, not UTF-8, nested too deep or not an object is a failure.
 */
export function parseJsonObject(body: Uint8Array, names: readonly string[]): Result<Record<string, unknown>, FailureCode> {
  try {
    const text = utf8.decode(body);
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return fail('body_not_object');
    const texts = holdsFractions(text) ? numberTexts(text, names) : undefined;
    for (const name of names) {
      const member = value[name];
      if (typeof member === 'number') value[name] = new JsonNumber(texts?.get(name) ?? String(member));
    }
    return ok(value);
  } catch (error) {
    // A RangeError is a stack that nested arrays have used up.
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) return fail('body_not_json');
    throw error;
  }
}

/** A body without a digit before a point or an exponent has no number that JSON.parse could have rounded, up to 2^53. */
function holdsFractions(text: string): boolean {
  return /\d[.eE]|\d{16}/.test(text);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// JSON.parse tells a reviver the source text of each primitive (ECMAScript 2026, Node 22 and later).
type SourceReviver = (this: object, key: string, value: unknown, context: { source?: string }) => unknown;
declare global {
  interface JSON {
    parse(text: string, reviver: SourceReviver): unknown;
  }
}

/** @returns the texts of the numbers among an object's own members of these names. */
function numberTexts(text: string, names: readonly string[]): ReadonlyMap<string, string> | undefined {
  // Members of nested objects may have the same names: what belongs to the outermost object is known at the end.
  const found = new Map<unknown, Map<string, string>>();
  const root = JSON.parse(text, function (this: object, key, value, context) {
    if (typeof value === 'number' && context.source !== undefined && names.includes(key)) {
      const texts = found.get(this);
      if (texts) texts.set(key, context.source);
      else found.set(this, new Map([[key, context.source]]));
    }
    return value;
  });
  return found.get(root);
}
