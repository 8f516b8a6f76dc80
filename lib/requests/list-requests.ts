import { z } from 'zod';
import { type Access, may } from '@/lib/accounts/access/grant-access';
import { isUuid } from '@/lib/core/ids';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { maskText } from './mask';
import { type RequestQuery, requestFilter } from './request-query';
import { type ListedRequest, listRequestRows } from './request-store';

const PAGE = 30;

export interface RequestView extends Omit<ListedRequest, 'answer'> {
  /** The error message in the answer; null if the answer has none. */
  readonly error: string | null;
}

interface RequestPage {
  readonly requests: readonly RequestView[];
  /** The cursor of the next, older page. Null if there is none. */
  readonly older: string | null;
}

/** Returns a page of the request log, newest first; null if the role may not see it. */
export async function listRequests(
  { db }: Pick<ReadRuntime, 'db'>,
  access: Access,
  { query, before }: { readonly query: RequestQuery; readonly before: string | null },
): Promise<RequestPage | null> {
  if (!may(access, 'keys.view')) return null;
  const cursor = before !== null && isUuid(before) ? before : null;
  const found = await listRequestRows(db, access.scope, { ...requestFilter(query), before: cursor, limit: PAGE + 1 });
  const shown = found.slice(0, PAGE);
  return { requests: shown.map(view), older: found.length > PAGE ? (shown.at(-1)?.id ?? null) : null };
}

function view({ answer, ...row }: ListedRequest): RequestView {
  return { ...row, path: maskText(row.path), error: errorOf(answer ?? '') };
}

const errorSchema = z.object({ error: z.string() });

/** Returns the message in the body of an error, or null if there is none. */
export function errorOf(answer: string): string | null {
  if (!answer.startsWith('{')) return null;
  try {
    return errorSchema.safeParse(JSON.parse(answer)).data?.error ?? null;
  } catch (error) {
    // A long answer is cut, so it may not be JSON.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
