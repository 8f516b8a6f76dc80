import { isUuid } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Database, Queryable } from '@/lib/platform/db/database';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { merchant } from '@/lib/platform/db/generated/tables';
import { statement } from '@/lib/platform/db/statement';
import { isLocale, type Locale } from '@/lib/platform/i18n/locale';
import { type Notify, readNotify } from './notify-rules';
import type { ProfileChange } from './profile-store';

/** The columns of a {@link Merchant}. */
export const LISTED = {
  id: true,
  slug: true,
  name: true,
  createdAt: true,
  profiles: {
    select: { environment: true, status: true, uniqueReferences: true, partialPayments: true, activationRequestedAt: true },
    orderBy: { environment: 'asc' },
  },
} as const;

export type Merchant = Prisma.MerchantGetPayload<{ select: typeof LISTED }>;

export async function listMerchants(db: Database): Promise<Merchant[]> {
  return db.prisma.merchant.findMany({ select: LISTED, orderBy: { createdAt: 'asc' } });
}

/** Finds a merchant by its id or slug. For the operator only: does not check who may see the merchant. */
export async function findMerchant(db: Database, merchant: string): Promise<Merchant | null> {
  return db.prisma.merchant.findUnique({ where: isUuid(merchant) ? { id: merchant } : { slug: merchant }, select: LISTED });
}

export async function updateProfile(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  { returnOrigins, ...change }: ProfileChange,
): Promise<void> {
  const data = { ...change, ...(returnOrigins && { returnOrigins: [...returnOrigins] }) };
  await prisma.merchantProfile.updateMany({ where: { merchantId, environment }, data });
}

/** A merchant's settings for both environments, except for its brand, which is in brand-store.ts. */
export interface MerchantSettings {
  readonly name: string;
  readonly language: Locale | null;
  readonly notify: Notify;
  /** Whether members need a second factor to change anything, in the sandbox, too. */
  readonly requireSecondFactor: boolean;
}

const SETTINGS = { name: true, language: true, notify: true, requireSecondFactor: true } as const;

export async function findSettings({ prisma }: Connection, id: string): Promise<MerchantSettings | undefined> {
  const row = await prisma.merchant.findUnique({ where: { id }, select: SETTINGS });
  if (!row) return undefined;
  const { language, notify, ...settings } = row;
  return { ...settings, language: language !== null && isLocale(language) ? language : null, notify: readNotify(notify) };
}

const LOCK_MERCHANT = statement({
  name: 'lock a merchant',
  text: 'SELECT id FROM merchant WHERE id = $id FOR NO KEY UPDATE',
  parameters: { id: merchant.id },
  columns: { id: merchant.id },
});

/** Locks a merchant until the transaction ends. */
export async function lockMerchant(tx: Queryable, id: string): Promise<void> {
  await LOCK_MERCHANT.rows(tx, { id });
}

/** Locks a merchant until the transaction ends and returns its settings. */
export async function lockSettings(tx: Connection, id: string): Promise<MerchantSettings | undefined> {
  await lockMerchant(tx, id);
  return findSettings(tx, id);
}
