import type { z } from 'zod';
import { type Failure, isFailureCode } from './failure';
import { fail, ok, type Result } from './result';

/**
 * Checks external input against a schema. The error message of each check is a failure code, and `params.detail` is the failure's detail.
 * Returns the parsed value, or the first failure in the order of the schema.
 */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): Result<z.output<Schema>, Failure> {
  const checked = schema.safeParse(value);
  if (checked.success) return ok(checked.data);
  const [issue] = checked.error.issues;
  if (!issue || !isFailureCode(issue.message)) throw new Error(`the error of a schema check is not a failure code: ${issue?.message}`);
  const code = issue.message;
  const detail: unknown = issue.code === 'custom' ? issue.params?.detail : undefined;
  return fail(typeof detail === 'string' ? { code, detail } : { code });
}
