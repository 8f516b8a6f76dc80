import type { ProviderAccount, RawCallback, ReadCallback } from '@/lib/providers/port/port';
import { jsonReply, parseJson } from '@/lib/providers/port/raw-answer';
import { type MixxCredentials, parseCredentials } from './credentials';
import { callbackSchema } from './wire';

/** The form of our reference. Some relays send it back without the biller code in front. */
const BARE = /^[A-Z0-9]{20}$/;

/** Reads a callback. It is not signed, so a status query must confirm it. */
export function readCallback(account: ProviderAccount, { body }: RawCallback): ReadCallback {
  const callback = callbackSchema.safeParse(parseJson(body)).data;
  const credentials = parseCredentials(account.credentials);
  const code = credentials.ok ? credentials.value.billerCode : '';
  const theirs = callback?.ReferenceID ?? '';
  return {
    reference: BARE.test(theirs) ? theirs : theirs.startsWith(code) ? theirs.slice(code.length) || null : null,
    providerReference: theirs || null,
    verified: false,
    outcome: null,
    claimsPaid: callback?.Status ?? callback?.MFSTransactionID != null,
    reply: replyTo(theirs, credentials.ok ? credentials.value.callbackReply : 'classic'),
  };
}

/**
 * Creates the reply to a callback. The reply says that the callback was received or, if `reference` is empty, that it is not readable.
 * @param reference the `ReferenceID` of the callback; empty if the callback is not readable.
 */
function replyTo(reference: string, form: MixxCredentials['callbackReply']): ReadCallback['reply'] {
  const received = reference !== '';
  const code = received ? 'BILLER-18-0000-S' : 'BILLER-18-3020-E';
  const description = received ? 'Callback received' : 'Callback is not readable';
  const body =
    form === 'classic'
      ? { ResponseCode: code, ResponseStatus: received, ResponseDescription: description, ReferenceID: reference }
      : {
          success: received,
          responseCode: code,
          transactionStatus: String(received),
          errorDescription: received ? '' : description,
          referenceID: reference,
        };
  return jsonReply(body);
}
