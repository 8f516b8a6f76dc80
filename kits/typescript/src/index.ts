export { type AmountInput, toSenti } from './amount.ts';
export type { Attempt, Bill, BillDetails, BillStatus, BillSummary, CreatedBill, NewBill } from './bill.ts';
export {
  Bili,
  type CallOptions,
  type CreateOptions,
  type EventOptions,
  type PushOptions,
  type ReasonOptions,
  type WaitOptions,
} from './client.ts';
export {
  BiliApiError,
  BiliConnectionError,
  BiliError,
  BiliNotPaidError,
  BiliWebhookError,
  type NotPaidReason,
  type WebhookErrorReason,
} from './errors.ts';
export type { BillEvent, EventPage, NetworkStatus } from './events.ts';
export { expressWebhook, fastifyWebhook, fetchWebhook, type WebhookHandler } from './frameworks.ts';
export type { BillPage, BillsQuery, BulkResult, Payment, PaymentRequest, SandboxTime, ValidatedBill } from './history.ts';
export type { ApiRequest, Options } from './http.ts';
export type { Instrument } from './instrument.ts';
export type { NewPayment, RecordedPayment } from './recorded-payment.ts';
export type { NewRefund, Refund, RefundState } from './refund.ts';
export { readMobile, readShillings } from './typed.ts';
export { Webhook, type WebhookEvent, type WebhookHeaders, type WebhookOptions } from './webhook.ts';
