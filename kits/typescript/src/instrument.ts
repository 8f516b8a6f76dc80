import { amount, date, fields, list, optional, text } from './fields.ts';

/** A way to pay a bill without a payment request to a phone. */
export interface Instrument {
  readonly id: string;
  /** `PENDING`, `ACTIVE` or `ENDED`. Give only an `ACTIVE` one to a customer. */
  readonly state: string;
  /** The provider's word for this kind of instrument. */
  readonly kind: string;
  readonly amount: string;
  /** The number that the customer enters in the menu of the wallet. */
  readonly number: string | null;
  /** The text of a TANQR code, to be drawn as a QR code. */
  readonly qr: string | null;
  /** The provider's page, for example for cards. */
  readonly link: string | null;
  /** The networks whose wallets can pay the number. */
  readonly networks: readonly string[];
  /** `exact`: only this amount, once. `open`: payments of any amount. */
  readonly takes: string;
  readonly expiresAt: Date | null;
  readonly endedAt: Date | null;
  /** Why it has ended: `paid`, `changed`, `closed`, `expired`, `refused` or `lost`. */
  readonly reason: string | null;
}

export function readInstruments(value: unknown): readonly Instrument[] {
  return list(fields(value), 'instruments').map((one) => {
    const raw = fields(one);
    return {
      id: text(raw, 'id'),
      state: text(raw, 'state'),
      kind: text(raw, 'kind'),
      amount: amount(raw, 'amount'),
      number: optional(text, raw, 'number'),
      qr: optional(text, raw, 'qr'),
      link: optional(text, raw, 'link'),
      networks: list(raw, 'networks').map(String),
      takes: text(raw, 'takes'),
      expiresAt: optional(date, raw, 'expiresAt'),
      endedAt: optional(date, raw, 'endedAt'),
      reason: optional(text, raw, 'reason'),
    };
  });
}
