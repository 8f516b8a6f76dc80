import { z } from 'zod';

// Sources: documents that Yas gives to merchants, as several public integrations quote them. All addresses differ by merchant.

/** The root of the XML messages of the status query. */
export const COMMAND = 'COMMAND';
export const STATUS_TYPE = 'MTPGGetSODetails';

const text = z.string().max(1_000);

export const tokenRequestSchema = z.object({
  username: z.string().min(1),
  password: z.string().min(1),
  grant_type: z.literal('password'),
});

/** The error of a request for a token. */
export const tokenErrorSchema = z.object({ error: z.enum(['invalid_grant', 'unsupported_grant_type']) });

export const tokenSchema = z.object({
  access_token: z.string().min(1).max(4_000),
  expires_in: z.coerce.number().min(0).max(1_000_000).catch(0),
});

const mobile = z.string().regex(/^255[67]\d{8}$/);

export const pushRequestSchema = z.object({
  CustomerMSISDN: mobile,
  BillerMSISDN: mobile,
  Amount: z.int().positive(),
  Remarks: z.string().max(100).optional(),
  ReferenceID: z.string().regex(/^[A-Za-z0-9]{1,50}$/),
});
export type PushRequest = z.infer<typeof pushRequestSchema>;

/** A JSON member that should be a boolean. Some servers that relay the messages of Yas send it as text. */
const flag = z.union([z.boolean(), z.stringbool()]);

export const pushAnswerSchema = z.object({
  ResponseCode: z.string().max(100),
  ResponseStatus: flag.nullish().catch(null),
  ResponseDescription: text.nullish().catch(null),
  ReferenceID: z.string().max(200).nullish(),
});

/** A callback only triggers a status query, so a member with an unexpected form must not make the callback unreadable. */
export const callbackSchema = z.object({
  Status: flag.nullish().catch(null),
  Description: text.nullish().catch(null),
  MFSTransactionID: z.string().max(100).nullish().catch(null),
  ReferenceID: z.string().min(1).max(200),
});

export const refundRequestSchema = z.object({
  CustomerMSISDN: mobile,
  ChannelMSISDN: mobile,
  ChannelPIN: z.string().min(1),
  Amount: z.int().positive(),
  MFSTransactionID: z.string().min(1).max(100),
  ReferenceID: z.string().min(1).max(50),
  PurchaseReferenceID: z.string().min(1).max(200),
});
export type RefundRequest = z.infer<typeof refundRequestSchema>;

/** The answer to a status query, from its XML. */
export const statusAnswerSchema = z.object({
  RESULTCODE: z.string().max(100),
  RESULTDESC: text.optional(),
  TXNID: z.string().max(100).optional(),
  TXNSTATUS: z.string().max(100).optional(),
  EXTERNALREFID: z.string().max(200).optional(),
  AMOUNT: z.string().max(30).optional(),
});
