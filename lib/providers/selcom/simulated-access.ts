import type { Clock } from '@/lib/core/clock';
import { isRecord } from '@/lib/core/is-record';
import type { Reply, SimulatedRequest } from '@/lib/providers/simulation/server';
import { authorizationOf, provenFields } from './signature';

export const API_KEY = 'simulated-key';
export const API_SECRET = 'simulated-secret';

/** Selcom refuses a timestamp that differs too much from its clock. Selcom documents no limit, so this limit is an assumption. */
const MAX_DRIFT_MS = 300_000;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

/** Creates the answer that refuses a request. @param why the reason for `GET /control`; by default the message. */
export function failure(status: number, resultcode: string, message: string, why = message) {
  return { status, body: { reference: '', transid: '', resultcode, result: 'FAIL', message, data: [] }, why };
}

/** Returns the refusal of a request without valid authentication; null if the authentication is valid. */
export function refuseAccess({ method, headers, query, body }: SimulatedRequest, clock: Clock): Reply | null {
  const timestamp = String(headers.timestamp ?? '');
  const drift = TIMESTAMP.test(timestamp) ? Math.abs(clock().getTime() - Date.parse(timestamp)) : Number.POSITIVE_INFINITY;
  if (!(drift <= MAX_DRIFT_MS))
    return failure(401, '401', 'Invalid Timestamp', 'The header Timestamp must be the time now, such as 2026-11-26T12:00:00+03:00');
  if (headers.authorization !== authorizationOf(API_KEY))
    return failure(401, '401', 'Invalid Authorization', 'The header Authorization must be SELCOM and the API key in base64');
  // GET and DELETE send their fields in the query.
  const values = method === 'GET' || method === 'DELETE' ? query : isRecord(body) ? body : {};
  const proven = provenFields(headers, values, API_SECRET);
  const why = 'Digest must be base64 of HMAC-SHA256 over timestamp=… and the Signed-Fields in their order; Digest-Method must be HS256';
  if (headers['digest-method'] !== 'HS256' || !proven) return failure(401, '401', 'Invalid Digest', why);
  const unsigned = Object.keys(values).filter((name) => !proven.includes(name));
  return unsigned.length === 0 ? null : failure(401, '401', `Signed-Fields lacks ${unsigned.join(', ')}`);
}
