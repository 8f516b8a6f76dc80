import { hashToken } from '@/lib/accounts/token';
import type { Runtime } from '@/lib/runtime/runtime';
import { findPendingSession } from './session-store';

/** @returns whether a session waits for its second factor. */
export async function isCodeDue({ db, clock }: Pick<Runtime, 'db' | 'clock'>, token: string | null): Promise<boolean> {
  return token !== null && (await findPendingSession(db, hashToken(token), clock())) !== null;
}
