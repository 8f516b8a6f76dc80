import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { DAY_MS, HOUR_MS } from '@/lib/core/clock';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { type RotatedSecret, rotateSecret } from './rotate-secret';
import { doneBy, type SecretDoor, secretDoor } from './webhook-door';

/** For how long the old secret signs too, milliseconds; `none` where it has leaked. */
const SECRET_OVERLAPS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, none: 0 } as const;
type SecretOverlap = keyof typeof SECRET_OVERLAPS;

type RotateRefusal =
  | { readonly code: SecretDoor | 'overlap_unknown' }
  /** Both secrets of the last rotation sign until then. */
  | { readonly code: 'overlap_running'; readonly until: Date };

/** A member gives the own merchant a new signing secret. @param overlap as it came from a form. */
export async function rotateOwnSecret(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  access: MerchantAccess,
  { overlap, address }: { overlap: string; address: string | null },
): Promise<Result<RotatedSecret, RotateRefusal>> {
  const door = secretDoor(access, runtime.clock());
  if (door) return fail({ code: door });
  if (!isSecretOverlap(overlap)) return fail({ code: 'overlap_unknown' });
  return rotateSecret(runtime, { ...doneBy(access, address), overlapMs: SECRET_OVERLAPS[overlap] });
}

function isSecretOverlap(text: string): text is SecretOverlap {
  return Object.hasOwn(SECRET_OVERLAPS, text);
}
