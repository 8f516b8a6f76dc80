import { bare, type Finding } from './finding';
import { type PastedSecret, secretKey } from './pasted-secret';

/** A secret of the merchant, to compare with a pasted one. It is never shown. */
export type KnownSecret = { readonly secret: string } & (
  | { readonly role: 'current' }
  /** Webhooks are also signed with this secret until `until`. */
  | { readonly role: 'previous'; readonly until: Date }
  | { readonly role: 'other_environment'; readonly environment: string }
);

interface Circumstances {
  /** Whether the pasted secret signed a webhook of the merchant. */
  readonly signedOnce: boolean;
  readonly now: Date;
}

/**
 * Returns what is wrong with a pasted secret.
 * @param known the secrets of the merchant, to compare the pasted one with. Null if no secrets are known.
 */
export function judgeSecret(pasted: PastedSecret, known: readonly KnownSecret[] | null, { signedOnce, now }: Circumstances): Finding[] {
  const { key } = pasted;
  if (!key || known === null) return [...pasted.findings];
  const same = known.find(({ secret }) => secretKey(secret)?.equals(key));
  return [...pasted.findings, ...judgeRole(same, signedOnce, now)];
}

function judgeRole(same: KnownSecret | undefined, signedOnce: boolean, now: Date): Finding[] {
  if (!same) return signedOnce ? bare('secret_retired') : bare('secret_wrong');
  if (same.role === 'current') return [];
  if (same.role === 'other_environment') return [{ code: 'secret_of_other_environment', data: { environment: same.environment } }];
  return same.until > now ? [{ code: 'secret_is_previous', data: { until: same.until.toISOString() } }] : bare('secret_retired');
}
