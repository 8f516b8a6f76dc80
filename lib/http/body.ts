import type { FailureCode } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';

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

/** A JSON object's members, and the source text of one of its numbers where a float may not hold it exactly. */
export interface JsonObject {
  readonly members: Readonly<Record<string, unknown>>;
  readonly numberText: string | undefined;
}

/**
 * @param exactMember the top-level member whose number's own text is wanted.
 * @returns the object that a body holds; not JSON, not UTF-8, nested beyond reason and not an object are failures.
 */
export function parseJsonObject(body: Uint8Array, exactMember: string): Result<JsonObject, FailureCode> {
  try {
    const text = utf8.decode(body);
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return fail('body_not_object');
    return ok({ members: value, numberText: holdsFractions(text) ? sourceText(text, exactMember) : undefined });
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

function sourceText(text: string, member: string): string | undefined {
  const found = new Map<unknown, string>();
  const root = JSON.parse(text, function (this: object, key, value, context) {
    if (key === member && typeof value === 'number' && context.source !== undefined) found.set(this, context.source);
    return value;
  });
  return found.get(root);
}
