import type { Clock } from '@/lib/core/clock';
import { isRecord } from '@/lib/core/is-record';
import type { Reply, SimulatedRequest } from '@/lib/providers/simulation/server';
import { authorizationOf, provenFields } from './signature';

export const API_KEY = 'simulated-key';
export const API_SECRET = 'simulated-secret';

/** Selcom refuses a timestamp that differs too much from its clock. Selcom documents no limit, so this limit is an assumption. */
const MAX_DRIFT_MS = 300_000;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

export function failure(status: number, resultcode: string, message: string): Reply {
  return { status, body: { reference: '', transid: '', resultcode, result: 'FAIL', message, data: [] } };
}

/** Returns the refusal of a request without valid authentication; null if the authentication is valid. */
export function refuseAccess({ method, headers, query, body }: SimulatedRequest, clock: Clock): Reply | null {
  const timestamp = String(headers.timestamp ?? '');
  const drift = TIMESTAMP.test(timestamp) ? Math.abs(clock().getTime() - Date.parse(timestamp)) : Number.POSITIVE_INFINITY;
  if (!(drift <= MAX_DRIFT_MS)) return failure(401, '401', 'Invalid Timestamp');
  if (headers.authorization !== authorizationOf(API_KEY)) return failure(401, '401', 'Invalid Authorization');
  const values = method === 'GET' ? query : isRecord(body) ? body : {};
  const proven = provenFields(headers, values, API_SECRET);
  if (headers['digest-method'] !== 'HS256' || !proven) return failure(401, '401', 'Invalid Digest');
  const unsigned = Object.keys(values).filter((name) => !proven.includes(name));
  return unsigned.length === 0 ? null : failure(401, '401', `Signed-Fields lacks ${unsigned.join(', ')}`);
}
