import { z } from 'zod';
import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { isUuid } from '@/lib/core/ids';
import { listKeys } from '@/lib/keys/show-keys';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { errorOf } from './list-requests';
import { maskText } from './mask';
import { mayReplay } from './may-replay';
import { prettyJson } from './pretty-json';
import { bodyText } from './request-row';
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
