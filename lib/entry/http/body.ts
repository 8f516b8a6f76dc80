import type { z } from 'zod';
import { fail, ok, type Result } from '@/lib/platform/core/result';

/** Why a body could not be read. */
export type BodyFailure = 'body_too_large' | 'body_incomplete';

/** The maximum body size of an API request or callback. */
export const API_BODY_MAX_BYTES = 64 * 1024;

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

const URLENCODED = /^application\/x-www-form-urlencoded\b/i;

/** Parses a form body. Returns null if the body is not a form. The caller limits its size. */
export async function readForm(body: Uint8Array<ArrayBuffer>, type: string | null): Promise<FormData | null> {
  try {
    return await new Response(body, { headers: { 'content-type': type ?? '' } }).formData();
  } catch {
    return null;
  }
}

/** Returns the text fields of a form that may be sent in either encoding. Returns null for another content type or a broken body. */
export async function readFields(body: Uint8Array<ArrayBuffer>, type: string | null): Promise<URLSearchParams | null> {
  if (type === null || URLENCODED.test(type)) return new URLSearchParams(new TextDecoder().decode(body));
  const form = await readForm(body, type);
  return form && new URLSearchParams([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

const PAGE_BODY_MAX_BYTES = 16 * 1024;

/**
 * Returns the validated JSON body of a request of one of our own pages. The error is the HTTP status: 413 if the body is too long, 400 if
 * it is invalid.
 */
export async function readJson<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<Result<z.infer<Schema>, 400 | 413>> {
  const body = await readBody(request, PAGE_BODY_MAX_BYTES);
  if (!body.ok) return fail(body.error === 'body_too_large' ? 413 : 400);
  try {
    const parsed = schema.safeParse(JSON.parse(new TextDecoder().decode(body.value)));
    return parsed.success ? ok(parsed.data) : fail(400);
  } catch {
    // The body is not JSON.
    return fail(400);
  }
}

/** Returns the form of a request of one of our own scripts, which send no files. Returns null if the body is too long. */
export async function readShortForm(request: Request): Promise<URLSearchParams | null> {
  const body = await readBody(request, PAGE_BODY_MAX_BYTES);
  return body.ok ? new URLSearchParams(new TextDecoder().decode(body.value)) : null;
}
