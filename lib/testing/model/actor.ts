import { type Access, operatorAccess } from '@/lib/accounts/access/grant-access';
import { operatorActor } from '@/lib/core/actor';

/** The operator of the model test. */
export const MODEL = operatorActor('model');

/** Returns the operator's access to the merchant of a bill. */
export function accessTo({ merchant_id: merchantId }: { readonly merchant_id: string }): Access {
  return operatorAccess(MODEL, { merchantId, environment: 'sandbox' });
}
