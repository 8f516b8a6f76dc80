import type { DeliveryRow, TryRow } from './listing-store';

/** Why a try did not deliver, in one word that the pages put into a sentence. */
export const TRY_ERRORS = [
  'refused',
  'name_not_found',
  'timeout',
  'reset',
  'tls',
  'forbidden',
  'redirect',
  'http_status',
  'other',
] as const;
export type TryError = (typeof TRY_ERRORS)[number];

/** One try to deliver, and what the receiver answered. */
export interface TryView extends Omit<TryRow, 'excerpt' | 'errorClass'> {
  readonly error: TryError | null;
  /** The beginning of the answer's body, as text. It is the receiver's: nothing in it may be trusted. */
  readonly excerpt: string;
}

export interface DeliveryView extends DeliveryRow {
  readonly tries: readonly TryView[];
}

/** Puts each delivery's tries with it. Pure. */
export function withTries(deliveries: readonly DeliveryRow[], tries: readonly TryRow[]): DeliveryView[] {
  const byDelivery = Map.groupBy(tries, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, tries: (byDelivery.get(delivery.id) ?? []).map(readTry) }));
}

function readTry({ excerpt, errorClass, ...row }: TryRow): TryView {
  const text = new TextDecoder()
    .decode(excerpt)
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
  return { ...row, excerpt: text, error: errorClass === null ? null : (TRY_ERRORS.find((known) => known === errorClass) ?? 'other') };
}
