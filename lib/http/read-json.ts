import type { z } from 'zod';
import { fail, ok, type Result } from '@/lib/core/result';
import { readBody } from './body';

const MAX_BYTES = 16 * 1024;

/**
 * Returns the validated JSON body of a request of one of our own pages. The error is the HTTP status: 413 if the body is too long, 400 if
 * it is invalid.
 */
export async function readJson<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<Result<z.infer<Schema>, 400 | 413>> {
  const body = await readBody(request, MAX_BYTES);
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
  const body = await readBody(request, MAX_BYTES);
  return body.ok ? new URLSearchParams(new TextDecoder().decode(body.value)) : null;
}
