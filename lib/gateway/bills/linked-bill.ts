import type { Brand } from '@/lib/identity/merchants/brand-rules';
import { BRAND_COLUMNS } from '@/lib/identity/merchants/brand-store';
import { allowedReturnUrl } from '@/lib/identity/merchants/return-origins';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { bill, merchant, merchantProfile } from '@/lib/platform/db/generated/tables';
import { boolean, nullable, pick, text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { isLocale, type Locale } from '@/lib/platform/i18n/locale';
import { type BillInfo, infoColumns, infoTypes } from './bill-info';
import type { Bill } from './rules';
import { BILL_COLUMNS, BILL_TYPES } from './store';

/** A bill and its merchant, as the payment page shows them. */
export type LinkedBill = Bill &
  BillInfo &
  Brand & {
    readonly expiresAt: Date | null;
    /** The merchant's address to which the payment page links. Null if the bill has none, or if the address's origin is not allowed now. */
    readonly returnUrl: string | null;
    readonly merchantName: string;
    /** The language of the page unless the customer has chosen one: the bill's, else the merchant's. Null means the browser's language. */
    readonly merchantLanguage: Locale | null;
    readonly merchantActive: boolean;
    /** Reversed amount in senti. */
    readonly reversedAmount: bigint;
    /** Whether the merchant allows part payments. */
    readonly partialPayments: boolean;
  };

const INFO = ['customerName', 'description', 'dueAt', 'expiresAt', 'returnUrl'] as const;

const SELECT_BY_LINK = statement({
  name: 'select-bill-by-link',
  prepared: true,
  text: `SELECT ${BILL_COLUMNS}, ${infoColumns(INFO)},
           p.return_origins AS "returnOrigins", b.reversed_amount AS "reversedAmount", m.name AS "merchantName",
           coalesce(b.language, m.language) AS "merchantLanguage",
           p.status = 'active' AS "merchantActive", p.partial_payments AS "partialPayments", ${BRAND_COLUMNS}
         FROM bill b JOIN merchant m ON m.id = b.merchant_id
         JOIN merchant_profile p ON p.merchant_id = b.merchant_id AND p.environment = b.environment
         WHERE b.id = $id AND b.environment = $environment`,
  parameters: pick(bill, 'id environment'),
  columns: {
    ...BILL_TYPES,
    ...infoTypes(INFO),
    ...pick(merchantProfile, 'returnOrigins partialPayments'),
    reversedAmount: bill.reversedAmount,
    merchantName: merchant.name,
    merchantLanguage: nullable(text),
    merchantActive: boolean,
    ...pick(merchant, 'brandColour supportNumber logoHash logoWidth logoHeight'),
  },
});

/** Finds a bill for its payment page. Anybody who has the link may see it. */
export async function findBillByLink(db: Queryable, environment: Scope['environment'], id: string): Promise<LinkedBill | undefined> {
  const row = await SELECT_BY_LINK.first(db, { id, environment });
  if (!row) return undefined;
  const { returnOrigins: origins, merchantLanguage, ...bill } = row;
  const returnUrl = bill.returnUrl === null ? null : allowedReturnUrl(bill.returnUrl, { environment, origins });
  return { ...bill, returnUrl, merchantLanguage: isLocale(merchantLanguage) ? merchantLanguage : null };
}
