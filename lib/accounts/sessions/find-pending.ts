import { hashToken } from '@/lib/accounts/token';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { findPendingSession } from './session-store';

/** Returns whether the token belongs to a session that waits for the code of the second factor. */
export async function isCodeDue({ db, clock }: ReadRuntime, token: string | null): Promise<boolean> {
  return token !== null && (await findPendingSession(db, hashToken(token), clock())) !== null;
}
