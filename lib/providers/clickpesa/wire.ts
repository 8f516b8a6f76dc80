import { z } from 'zod';

// Source: docs.clickpesa.com (collections, checksum, webhooks). Amounts are whole shillings, as text or as numbers, with or without ".00".

export const TOKEN_PATH = '/third-parties/generate-token';
export const PUSH_PATH = '/third-parties/payments/initiate-ussd-push-request';
export const PAYMENTS_PATH = '/third-parties/payments';

/** The members that a checksum does not cover. */
export const CHECKSUM_MEMBERS: readonly string[] = ['checksum', 'checksumMethod'];

export const pushRequestSchema = z.object({
  amount: z.string().regex(/^[1-9]\d*$/),
  currency: z.literal('TZS'),
  orderReference: z.string().regex(/^[A-Za-z0-9]{1,20}$/),
  phoneNumber: z.string().regex(/^255[67]\d{8}$/),
  checksum: z.string().optional(),
});
export type PushRequest = z.infer<typeof pushRequestSchema>;

/** The token already starts with "Bearer ". */
export const tokenSchema = z.object({ success: z.literal(true), token: z.string().min(1).max(4_000) });

const text = z.string().max(2_000);

/** A phone number, such as `255712345678`. Without one, the rest of the message still counts. */
const phone = z.string().max(30).nullish().catch(null);
const payer = { customerPhoneNumber: phone, phoneNumber: phone };

/** A payment as answers and webhooks show it. Members that the adapter does not read are left out. */
export const paymentSchema = z.object({
  id: z.string().min(1).max(100),
  status: z.string().max(50),
  orderReference: z.string().max(100),
  collectedAmount: z.union([z.string().max(30), z.number()]).nullish(),
  collectedCurrency: z.string().max(10).nullish(),
  message: z.string().max(2_000).nullish().catch(null),
  clientId: z.string().max(200).nullish(),
  /** The documentation calls the number `customerPhoneNumber`, one client calls it `phoneNumber`. */
  ...payer,
  customer: z.object(payer).nullish().catch(null),
});
export type ClickpesaPayment = z.infer<typeof paymentSchema>;

/** A status answer is an array, and in some editions an object. */
export const statusSchema = z.union([z.array(paymentSchema).max(50), paymentSchema.transform((one) => [one])]);

/** The message may be an array. */
export const errorSchema = z.object({ message: z.union([text, z.array(text).transform((all) => all.join('; '))]) });

/** An old sample of a failed payment has `eventType` instead of `event`. */
export const webhookSchema = z.object({
  event: z.string().max(100).nullish(),
  eventType: z.string().max(100).nullish(),
  data: paymentSchema,
  checksum: z.string().max(200).nullish(),
});
