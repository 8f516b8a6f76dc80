import type { z } from 'zod';
import { readBody } from './body';

const MAX_BYTES = 16 * 1024;

/** Returns the validated JSON body of a request of one of our own pages. Returns null if it is too long or invalid. */
export async function readJson<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.infer<Schema> | null> {
  const body = await readBody(request, MAX_BYTES);
  if (!body.ok) return null;
  try {
    return schema.safeParse(JSON.parse(new TextDecoder().decode(body.value))).data ?? null;
  } catch {
    // The body is not JSON.
    return null;
  }
}
