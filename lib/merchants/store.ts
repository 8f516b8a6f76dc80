import type { Environment, Scope } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import type { Database, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';

export type ProfileStatus = 'pending' | 'active' | 'suspended' | 'closed';

export interface Merchant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly profiles: readonly {
    readonly environment: Environment;
    readonly status: ProfileStatus;
    readonly uniqueReferences: boolean;
    readonly partialPayments: boolean;
  }[];
}

const LISTED = {
  id: true,
  slug: true,
  name: true,
  createdAt: true,
  profiles: { select: { environment: true, status: true, uniqueReferences: true, partialPayments: true }, orderBy: { environment: 'asc' } },
} as const;

export async function listMerchants(db: Database): Promise<Merchant[]> {
  return db.prisma.merchant.findMany({ select: LISTED, orderBy: { createdAt: 'asc' } });
}

/** @param merchant its id or its slug. For the operator: not scoped to a person. */
export async function findMerchant(db: Database, merchant: string): Promise<Merchant | null> {
  return db.prisma.merchant.findUnique({ where: isUuid(merchant) ? { id: merchant } : { slug: merchant }, select: LISTED });
}

export async function countMerchants(db: Database): Promise<number> {
  return db.prisma.merchant.count();
}

/** One transaction: the merchant and all that is nested in it. */
export async function insertMerchant(db: Database, data: Prisma.MerchantCreateInput): Promise<Merchant> {
  return db.prisma.merchant.create({ data, select: LISTED });
}

export async function slugsLike(db: Database, slug: string): Promise<string[]> {
  const rows = await db.prisma.merchant.findMany({ where: { slug: { startsWith: slug } }, select: { slug: true } });
  return rows.map((row) => row.slug);
}

/** What is absent stays. */
export interface ProfileChange {
  readonly status?: ProfileStatus;
  readonly uniqueReferences?: boolean;
  /** Whether customers may choose to pay a part on the payment page. */
  readonly partialPayments?: boolean;
}

/** @returns false when the merchant has no profile in that environment. */
export async function updateProfile(
  on: Queryable,
  { merchantId, environment }: Scope,
  { status, uniqueReferences, partialPayments }: ProfileChange,
): Promise<boolean> {
  const rows = await on.query(
    {
      text: `UPDATE merchant_profile SET status = coalesce($3, status), unique_references = coalesce($4, unique_references),
               partial_payments = coalesce($5, partial_payments)
             WHERE merchant_id = $1 AND environment = $2 RETURNING 1 AS changed`,
    },
    [merchantId, environment, status, uniqueReferences, partialPayments],
  );
  return rows.length > 0;
}
