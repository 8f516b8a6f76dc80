import type { Settings } from '@/lib/platform/config/settings';
import { marks } from '@/lib/platform/db/generated/tables';

/** The kinds of personal data that a column can be marked with in prisma/schema.prisma, and what each one means. */
export const KINDS = {
  'phone number': 'A phone number.',
  name: 'The name of a person.',
  'e-mail address': 'An e-mail address, or several.',
  member: 'Who did something: the e-mail address or login name of a member, or the login of an operator.',
  device: 'What identifies a device or a connection: an IP address, a browser, a push address.',
  reference: 'A reference that a merchant has chosen. It contains personal data only if the merchant puts it there.',
  'free text': 'Text that a person or a merchant has written. It may contain anything.',
  copy: 'A message, document or index that contains some of the other kinds.',
} as const;

/** The settings that say how long personal data is kept, in days. */
export type Period = Extract<keyof Settings, `KEEP_${string}`>;

interface TableRule {
  /** Why the table contains personal data. */
  readonly why: string;
  /**
   * How long it keeps them. A setting: the job "forget" (`forget-old.ts`) empties or deletes the data that is older. A sentence: something
   * else decides.
   */
  readonly keep: Period | string;
}

const MONEY = 'money: whom a payment came from, for questions and refunds';
const WITH_RECORD = 'as long as the record: who acted stays on record';

/** Why each table with personal data has it, and how long. A test requires an entry for each table with a mark. */
export const TABLE_RULES: Readonly<Record<string, TableRule>> = {
  merchant: { why: "the merchant's public contact, and where its notifications go", keep: 'until the merchant changes it' },
  user: { why: 'signing in, and who did what', keep: 'until the person is in no team, and the last session is deleted' },
  account_link: { why: 'sign-up, reset, and new e-mail addresses', keep: 'one day after the link expires' },
  throttle: { why: 'limits against guessing', keep: 'until the time span is over' },
  rate_use: { why: 'limits of requests', keep: 'minutes' },
  push_subscription: { why: 'notifications to a device of a member', keep: 'until the member or the push service ends it' },
  session: { why: 'who is signed in, and from where', keep: 'KEEP_DEVICES_DAYS' },
  cashier_device: { why: 'the devices of a cashier', keep: 'KEEP_DEVICES_DAYS' },
  invitation: { why: 'invitations to a team', keep: 'KEEP_DEVICES_DAYS' },
  api_key: { why: 'who created a key, and from where it was last used', keep: 'as long as the key' },
  bill: { why: 'who is to pay, and for what', keep: 'KEEP_CUSTOMERS_DAYS' },
  bill_note: { why: "the team's notes on a bill", keep: 'KEEP_CUSTOMERS_DAYS' },
  bill_event: { why: 'who changed a bill', keep: WITH_RECORD },
  bill_import: { why: 'which bills came from which file', keep: 'KEEP_CUSTOMERS_DAYS' },
  bill_import_row: { why: 'which bills came from which file', keep: 'KEEP_CUSTOMERS_DAYS' },
  search_entry: { why: 'finding a bill', keep: 'KEEP_CUSTOMERS_DAYS' },
  saved_view: { why: "a member's own filters", keep: 'until the member deletes it' },
  push_attempt: { why: 'which phone was asked to pay', keep: 'KEEP_CUSTOMERS_DAYS' },
  prompt_refusal: { why: 'who does not want payment requests', keep: 'KEEP_CUSTOMERS_DAYS' },
  payment: { why: MONEY, keep: 'KEEP_CUSTOMERS_DAYS' },
  payment_allocation: { why: 'who allocated a payment', keep: WITH_RECORD },
  payment_correction: { why: 'who corrected the ledger, and why', keep: WITH_RECORD },
  refund: { why: 'who asked for a refund, and why', keep: WITH_RECORD },
  refund_limit_change: { why: 'who asked for a new limit', keep: 'until it is confirmed or declined' },
  review: { why: 'who answered a question about money, and how', keep: WITH_RECORD },
  reconciliation: { why: 'which statements were compared, and by whom', keep: WITH_RECORD },
  reconciliation_line: { why: 'what a statement said', keep: 'KEEP_CUSTOMERS_DAYS' },
  provider_message: { why: 'evidence of what a provider said', keep: 'KEEP_MESSAGES_DAYS' },
  webhook_delivery: { why: 'what a merchant was told', keep: 'KEEP_MESSAGES_DAYS' },
  webhook_attempt: { why: 'why a delivery failed', keep: 'WEBHOOK_LOG_DAYS' },
  webhook_proposal: { why: 'who proposed an address, and why it was refused', keep: 'until the next proposal' },
  webhook_redelivery: { why: 'who asked for it', keep: WITH_RECORD },
  idempotency_key: { why: 'the same answer to the same request', keep: 'one day' },
  mail: { why: 'sending it', keep: '30 days; the text until it is sent or has failed' },
  operator_notice: { why: 'sending it', keep: '30 days' },
  audit_entry: { why: 'who did what: the law asks for accountability', keep: WITH_RECORD },
  api_request: { why: 'finding errors of an integration', keep: '7 days. Numbers are masked in live' },
  sandbox_prompt: { why: 'test data', keep: '90 days' },
  sandbox_refund: { why: 'test data', keep: '90 days' },
  sandbox_ring: { why: 'test data', keep: '90 days' },
  sandbox_phone: { why: 'test data', keep: 'KEEP_DEVICES_DAYS' },
  sandbox_instrument_payment: { why: 'test data', keep: '90 days' },
};

/** The columns that are marked as personal data, with their kind. */
export const PERSONAL_COLUMNS = marks.flatMap(([table, column, kind]) => (kind === 'none' ? [] : [{ table, column, kind }]));
