import type { KeyObject } from 'node:crypto';
import { addMs, type Clock, MINUTE_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderAccount, RawAnswer } from '@/lib/providers/port/port';
import { isSuccess, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { refusesToken } from './parse-answer';
import { readPublicKey } from './signing';
import { keysSchema } from './wire';

/** How long a key is used. The time is short, because Bili does not know when a key expires: the time zone of `valid_upto` is unknown. */
const USED_MS = 10 * MINUTE_MS;

interface Known {
  readonly credentials: string | null;
  readonly key: KeyObject;
  readonly until: Date;
}

/** Creates a cache of Airtel's RSA keys, by provider account. */
export function createEncryptionKeys(clock: Clock) {
  const known = new Map<string, Known>();
  return {
    /**
     * Returns the key of an account. If there is none because Airtel refused the access token, the error is Airtel's answer. In all other
     * cases without a key, the error says why the payment or refund request was not sent. @param request asks Airtel for the key.
     */
    async find({ id, credentials }: ProviderAccount, request: () => Promise<RawAnswer>): Promise<Result<KeyObject, RawAnswer>> {
      const remembered = known.get(id);
      const now = clock();
      if (remembered?.credentials === credentials && now < remembered.until) return ok(remembered.key);
      const answer = await request();
      const parsed = answer.lost === null && isSuccess(answer) ? keysSchema.safeParse(parseJson(answer.body)).data : undefined;
      const key = parsed ? readPublicKey(parsed.data.key) : null;
      if (key) {
        known.set(id, { credentials, key, until: addMs(now, USED_MS) });
        return ok(key);
      }
      return fail(refusesToken(answer) ? answer : notSent(`no encryption key: ${answer.error ?? `HTTP ${answer.status}`}`));
    },
    /** Forgets the key of an account, because Airtel refused a signature that was made with it. */
    forget: ({ id }: ProviderAccount) => known.delete(id),
  };
}
