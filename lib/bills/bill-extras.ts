import { z } from 'zod';
import type { Locale } from '@/lib/i18n/locale';
import { type BillInfo, hasInfo } from './bill-info';

/** The merchant's own texts by name. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * Values that only a merchant's server can give a bill, through the API. Only `expiresAt` has an effect on money: from this time on, nobody
 * is asked to pay the bill.
 */
export interface BillExtras {
  readonly customerEmail: string | null;
  readonly metadata: Metadata | null;
  readonly expiresAt: Date | null;
  /** The shop's page to which the payment page links. The link is shown only as long as the merchant allows the origin of this address. */
  readonly returnUrl: string | null;
  /** The language of the payment page, unless the visitor has chosen one. */
  readonly language: Locale | null;
}

export const NO_EXTRAS: BillExtras = { customerEmail: null, metadata: null, expiresAt: null, returnUrl: null, language: null };

export function hasExtras({ customerEmail, metadata, expiresAt, returnUrl, language }: BillExtras): boolean {
  return customerEmail !== null || metadata !== null || expiresAt !== null || returnUrl !== null || language !== null;
}

/** The stored extras, as the API returns them. */
export interface StoredExtras extends Omit<BillExtras, 'metadata' | 'language'> {
  /** The metadata as JSON text, as PostgreSQL writes it. */
  readonly metadata: string | null;
  readonly language: string | null;
}

const metadataSchema = z.record(z.string(), z.string());

/** Reads stored metadata, to show it on the page of the bill. */
export function readMetadata(json: string | null): Metadata {
  return json === null ? {} : metadataSchema.parse(JSON.parse(json));
}

const NO_INFO_JSON = '"description":null,"customer":null,"dueAt":null';
const NO_EXTRAS_JSON = '"metadata":null,"expiresAt":null,"returnUrl":null,"language":null';

/** Returns the optional JSON members of the answer to reading a bill, as JSON text. */
export function optionalJson(bill: BillInfo & StoredExtras): string {
  const { customerEmail, metadata, expiresAt, returnUrl, language } = bill;
  const extras =
    metadata === null && expiresAt === null && returnUrl === null && language === null
      ? NO_EXTRAS_JSON
      : `"metadata":${metadata},"expiresAt":${expiresAt?.getTime() ?? null},"returnUrl":${JSON.stringify(returnUrl)},"language":${JSON.stringify(language)}`;
  if (!hasInfo(bill) && customerEmail === null) return `${NO_INFO_JSON},${extras}`;
  const { customerName: name, description, dueAt } = bill;
  const customer = name === null && customerEmail === null ? 'null' : JSON.stringify({ name, email: customerEmail });
  return `"description":${JSON.stringify(description)},"customer":${customer},"dueAt":${dueAt?.getTime() ?? null},${extras}`;
}
