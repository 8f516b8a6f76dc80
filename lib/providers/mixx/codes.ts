import type { FailureReason } from '@/lib/providers/port/outcome';

/** The code for a wrong user name, password or token. */
export const WRONG_CREDENTIALS = 'DebitMandate-10-3000-E';

/** Codes with which Yas accepts a payment request. */
export const ACCEPTED: readonly string[] = ['BILLER-18-0000-S', 'BILLER-30-0000-S'];

/** Codes that leave open whether the customer has the prompt: a status query follows. */
const OPEN: readonly string[] = ['BILLER-18-3023-E', 'BILLER-18-9999-F', 'DebitMandate-10-1000-E', 'DebitMandate-10-5000-E'];

/** Documented final refusals of a prompt. */
const REFUSALS: Readonly<Record<string, FailureReason>> = {
  'DebitMandate-10-2001-E': 'merchant_config',
  'DebitMandate-10-2002-E': 'rejected',
  'DebitMandate-10-2003-E': 'rejected',
  'DebitMandate-10-2004-V': 'mobile_not_registered',
  'DebitMandate-10-2040-V': 'mobile_not_registered',
  'DebitMandate-10-2005-E': 'mobile_not_registered',
  'DebitMandate-10-2020-V': 'merchant_config',
  'DebitMandate-10-2038-V': 'merchant_config',
  [WRONG_CREDENTIALS]: 'merchant_config',
  'BILLER-18-3018-E': 'limit_exceeded',
  'BILLER-18-3019-E': 'limit_exceeded',
  'BILLER-18-3020-E': 'limit_exceeded',
  'BILLER-18-3021-E': 'merchant_config',
  'BILLER-18-3022-E': 'merchant_config',
  'BILLER-18-3040-E': 'merchant_config',
};

/** Returns the reason of a refusal; null for a code that is not a documented refusal. */
export function reasonOf(code: string): FailureReason | null {
  if (OPEN.includes(code)) return null;
  return (Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : null) ?? null;
}

/** The text with which Yas refuses a request whose reference it already has. It is the code, or a part of the description. */
export const DUPLICATE = /DuplicateRefID/i;

export const REFUNDED = 'RefundTransaction-20-0000-S';
export const REFUND_FAILED = 'RefundTransaction-20-3039-E';
