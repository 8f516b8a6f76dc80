import { z } from 'zod';
import type { Bill } from '@/lib/gateway/bills/rules';
import { type Access, may } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import { splitPage } from '@/lib/platform/core/page';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { maskText } from './mask';
import { type RequestQuery, requestFilter } from './request-query';
import { type ListedRequest, listRequestRows } from './request-store';

const PAGE = 30;

export interface RequestView extends Omit<ListedRequest, 'answer'> {
  /** The error message in the answer; null if the answer has none. */
  readonly error: string | null;
  /** The bill that a successful request was about; null if it was about none. */
  readonly bill: Pick<Bill, 'id' | 'reference' | 'amount'> | null;
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
  const { shown, last } = splitPage(found, PAGE);
  const bills = await db.prisma.bill.findMany({
    where: { ...access.scope, id: { in: shown.flatMap(({ billId }) => billId ?? []) } },
    select: { id: true, reference: true, amount: true },
  });
  const billOf = (billId: string | null) => bills.find(({ id }) => id === billId) ?? null;
  const requests = shown.map(({ answer, ...row }) => ({
    ...row,
    path: maskText(row.path),
    error: errorOf(answer ?? ''),
    bill: billOf(row.billId),
  }));
  return { requests, older: last?.id ?? null };
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
