import type { z } from 'zod';
import { type Failure, isFailureCode } from './failure';
import { fail, ok, type Result } from './result';

/**
 * Checks a value from outside. The messages of a schema's issues are our failure codes, and `params.detail` of an issue is the
 * failure's detail.
 * @returns what the schema makes of the value, or its first problem, in the order in which the schema declares its members and checks.
 */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): Result<z.output<Schema>, Failure> {
  const checked = schema.safeParse(value);
  if (checked.success) return ok(checked.data);
  const [issue] = checked.error.issues;
  if (!issue || !isFailureCode(issue.message)) throw new Error(`a schema has a check without a failure code: ${issue?.message}`);
  const code = issue.message;
  const detail: unknown = issue.code === 'custom' ? issue.params?.detail : undefined;
  return fail(typeof detail === 'string' ? { code, detail } : { code });
}
