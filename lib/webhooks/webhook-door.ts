import { isProven, type MerchantAccess, may } from '@/lib/accounts/grant-access';

/** Why somebody may not change webhooks: the role, or, for secrets, it is too long ago that they proved who they are. */
export type WebhookDoor = 'not_allowed';
export type SecretDoor = WebhookDoor | 'not_proven';

/** @returns what keeps somebody from changing anything about webhooks, or null. */
export function webhookDoor(access: MerchantAccess): WebhookDoor | null {
  return may(access, 'webhooks.change') ? null : 'not_allowed';
}

/** @returns what keeps somebody from seeing and changing signing secrets at this moment, or null. */
export function secretDoor(access: MerchantAccess, now: Date): SecretDoor | null {
  return webhookDoor(access) ?? (isProven(access, now) ? null : 'not_proven');
}

/** Who did it and from where, as every use case writes it down. */
export function doneBy(access: MerchantAccess, address: string | null) {
  return { scope: access.scope, actor: `user:${access.user.email}`, address };
}
