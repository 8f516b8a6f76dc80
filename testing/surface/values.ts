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
  asked: () => '2026-01-01T00:00:00.000Z',
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
  counted: () => '0',
  customerName: () => 'Mallory',
  dayMax: nothing,
  decision: () => 'confirm',
  delivery: ({ ids }) => ids.delivery,
  description: () => 'A stranger was here',
  day: () => '2026-01-01',
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
  how: () => 'cash',
  import: ({ ids }) => ids.import,
  invitation: ({ ids }) => ids.invitation,
  key: ({ ids }) => ids.key,
  keys: somebody,
  kind: () => 'cash',
  limit: () => '100,000',
  label: () => 'Back door',
  language: () => 'en',
  member: ({ ids }) => ids.member,
  merchant: ({ merchant }) => merchant.slug,
  mobile: () => '0712345001',
  money: somebody,
  name: () => 'Mallory',
  network: nothing,
  note: nothing,
  networks: nothing,
  overlap: () => 'day',
  overpay: on,
  on: () => 'money',
  origins: () => 'https://shop.example.com',
  partial: on,
  cash: on,
  password: () => 'back door',
  percent: () => '10',
  perSecond: () => '20',
  payment: ({ ids }) => ids.attempt,
  pin: () => '271828',
  query: () => 'status=NOT_PAID',
  reason: () => 'because',
  reference: () => 'A stranger was here',
  repeated: () => '271828',
  role: () => 'viewer',
  refund: ({ ids }) => ids.attempt,
  request: ({ ids }) => ids.request,
  rows: () => '00',
  run: ({ ids }) => ids.run,
  secret: () => 'whsec_AAAA',
  scopes: () => 'read',
  seconds: () => '60',
  security: somebody,
  session: ({ ids }) => ids.attempt,
  shift: ({ ids }) => ids.attempt,
  slip: () => 'SLIP-1',
  state: () => 'UNSENT',
  status: () => 'NOT_PAID',
  step: () => 'send',
  summary: somebody,
  support: () => '0712345678',
  text: () => 'A stranger was here',
  to: () => '2999-12-31',
  token: () => 'guessed',
  unique: on,
  ways: on,
  until: () => '2026-12-01T00:00:00.000Z',
  upcoming: () => 'expiry',
  url: () => 'https://back-door.example/hooks',
  view: ({ ids }) => ids.attempt,
  way: () => 'hand',
  webhooks: somebody,
};

/** Returns the fields of an action, each with a plausible value. Throws for a field without one. */
export function plausibleForm(action: Action, known: Known): Record<string, string> {
  return plausibleValues(fieldsOf(action), known);
}

/** Returns plausible values of fields by name. Throws for a field without one. */
export function plausibleValues(fields: readonly string[], known: Known): Record<string, string> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = VALUES[field];
      if (value === undefined) throw new Error(`add to VALUES what somebody writes into "${field}"`);
      return [field, value(known)];
    }),
  );
}
