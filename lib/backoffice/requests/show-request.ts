import { z } from 'zod';
import { type Access, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { listKeys } from '@/lib/identity/keys/show-keys';
import { isUuid } from '@/lib/platform/core/ids';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { errorOf } from './list-requests';
import { maskText, prettyJson } from './mask';
import { bodyText } from './request-recorder';
import { findRequest, type StoredRequest } from './request-store';

export interface ShownRequest extends Omit<StoredRequest, 'headers' | 'body' | 'answerHeaders' | 'complete'> {
  readonly keyLabel: string | null;
  /** The error message in the answer; null if the answer has none. */
  readonly error: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the body was not read. */
  readonly body: string | null;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /**
   * `possible`: this member can send the request again. `incomplete`: nobody can send it again, because only a part of it is stored. Null:
   * this member has no permission to send it again, or the environment is live.
   */
  readonly replay: 'possible' | 'incomplete' | null;
}

const headersSchema = z.record(z.string(), z.string());

/** Returns a request of the log, with masked phone numbers; undefined if there is none or the role may not see it. */
export async function showRequest(runtime: ReadRuntime, access: MerchantAccess, id: string): Promise<ShownRequest | undefined> {
  if (!may(access, 'keys.view') || !isUuid(id)) return undefined;
  const [found, keys] = await Promise.all([findRequest(runtime.db, access.scope, id), listKeys(runtime, access)]);
  if (!found) return undefined;
  const { headers, body, answerHeaders, complete, ...row } = found;
  const failed = row.status >= 400;
  return {
    ...row,
    path: maskText(row.path),
    keyLabel: keys.find(({ id: key }) => key === row.keyId)?.label ?? null,
    error: failed ? errorOf(row.answer) : null,
    headers: headersSchema.parse(headers),
    body: body === null ? null : prettyJson(maskText(bodyText(body))),
    answerHeaders: headersSchema.parse(answerHeaders),
    answer: prettyJson(row.answer),
    replay: mayReplay(access, row) ? (complete ? 'possible' : 'incomplete') : null,
  };
}

const CREATE_PATH = '/api/v3/bills/create';

/**
 * Returns whether a member may send a request of the log again: in the sandbox only, only if the member may see the log, and only what the
 * member may also do by hand. Collectors may not see the log.
 */
export function mayReplay(access: Access, { method, path }: Pick<StoredRequest, 'method' | 'path'>): boolean {
  if (access.scope.environment !== 'sandbox' || !may(access, 'keys.view') || !may(access, 'bills.create')) return false;
  return method !== 'POST' || path === CREATE_PATH || may(access, 'bills.change');
}
