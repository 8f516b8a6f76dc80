import { randomUUID } from 'node:crypto';
import { type Action, fieldsOf } from './actions';

/** A test's merchant and the ids of its objects, to which form fields refer. */
export interface Known {
  readonly merchant: { readonly slug: string; readonly email: string };
  readonly ids: Readonly<Record<'attempt' | 'bill' | 'delivery' | 'import' | 'invitation' | 'key' | 'member' | 'request' | 'run', string>>;
}

const somebody = () => 'back.door@example.com';
const on = () => 'on';
const nothing = () => '';

/** Plausible values of form fields. */
const VALUES: Readonly<Record<string, (known: Known) => string>> = {
  again: on,
  amount: () => '500',
  ask: on,
  attempt: ({ ids }) => ids.attempt,
  back: () => '/',
  bill: ({ ids }) => ids.bill,
  billMax: nothing,
  body: () => '{}',
  business: () => 'Duka la Nyuma',
  callbackUrl: () => '/',
  code: () => '000000',
  colour: () => '#ff0000',
  computed: nothing,
  customerName: () => 'Mallory',
  dayMax: nothing,
  delivery: ({ ids }) => ids.delivery,
  description: () => 'A stranger was here',
  device: ({ ids }) => ids.attempt,
  do: () => 'pause',
  dueDate: () => '2026-12-01',
  email: ({ merchant }) => merchant.email,
  environment: () => 'sandbox',
  expiry: () => 'never',
  expiryDay: nothing,
  factor: on,
  form: () => randomUUID(),
  from: () => '2026-01-01',
  headers: ({ ids }) => `webhook-id: msg_${ids.delivery}`,
  import: ({ ids }) => ids.import,
  invitation: ({ ids }) => ids.invitation,
  key: ({ ids }) => ids.key,
  keys: somebody,
  keys_on: on,
  label: () => 'Back door',
  language: () => 'en',
  member: ({ ids }) => ids.member,
  merchant: ({ merchant }) => merchant.slug,
  mobile: () => '0712345001',
  money: somebody,
  money_on: on,
  name: () => 'Mallory',
  network: nothing,
  networks: nothing,
  overlap: () => 'day',
  origins: () => 'https://shop.example.com',
  partial: on,
  password: () => 'back door',
  percent: () => '10',
  perSecond: () => '20',
  pin: () => '271828',
  query: () => 'status=NOT_PAID',
  reason: () => 'because',
  reference: () => 'A stranger was here',
  repeated: () => '271828',
  role: () => 'viewer',
  request: ({ ids }) => ids.request,
  rows: () => '00',
  run: ({ ids }) => ids.run,
  secret: () => 'whsec_AAAA',
  seconds: () => '60',
  security: somebody,
  security_on: on,
  session: ({ ids }) => ids.attempt,
  shift: ({ ids }) => ids.attempt,
  state: () => 'UNSENT',
  scope_create: on,
  scope_events: on,
  scope_read: on,
  status: () => 'NOT_PAID',
  summary: somebody,
  summary_on: on,
  support: () => '0712345678',
  text: () => 'A stranger was here',
  to: () => '2999-12-31',
  token: () => 'guessed',
  unique: on,
  until: () => '2026-12-01T00:00:00.000Z',
  upcoming: () => 'expiry',
  url: () => 'https://back-door.example/hooks',
  view: ({ ids }) => ids.attempt,
  webhooks: somebody,
  webhooks_on: on,
};

/** Returns the fields of an action, each with a plausible value. Throws for a field without one. */
export function plausibleForm(action: Action, known: Known): Record<string, string> {
  return Object.fromEntries(
    fieldsOf(action).map((field) => {
      const value = VALUES[field];
      if (value === undefined) throw new Error(`add to VALUES what somebody writes into "${field}" of ${action.name}`);
      return [field, value(known)];
    }),
  );
}
