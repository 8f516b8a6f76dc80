import { type Access, operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { operatorActor } from '@/lib/platform/core/actor';

/** The operator of the model test. */
export const MODEL = operatorActor('model');

/** The person who approves what another one has asked for. */
export const SECOND = operatorActor('second');

/** Returns the operator's access to the merchant of a bill. */
export function accessTo({ merchant_id: merchantId }: { readonly merchant_id: string }, actor = MODEL): Access {
  return operatorAccess(actor, { merchantId, environment: 'sandbox' });
}
