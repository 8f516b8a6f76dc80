import { type AccessRefusal, findRefusal, isProven, type MerchantAccess } from '@/lib/accounts/access/grant-access';

/** Why somebody may not change webhooks; for secrets also because it is too long ago that they proved who they are. */
export type WebhookDoor = AccessRefusal;
export type SecretDoor = WebhookDoor | 'not_proven';

/** @returns what keeps somebody from changing anything about webhooks, or null. */
export function webhookDoor(access: MerchantAccess): WebhookDoor | null {
  return findRefusal(access, 'webhooks.change');
}

/** @returns what keeps somebody from seeing and changing signing secrets at this moment, or null. */
export function secretDoor(access: MerchantAccess, now: Date): SecretDoor | null {
  return webhookDoor(access) ?? (isProven(access, now) ? null : 'not_proven');
}

/** Who did it and from where, as every use case writes it down. */
export function doneBy(access: MerchantAccess, address: string | null) {
  return { scope: access.scope, actor: `user:${access.user.email}`, address };
}
