import { isUuid } from '@/lib/core/ids';
import type { ProfileStatus } from '@/lib/core/profile-status';
import type { Environment, Scope } from '@/lib/core/scope';
import type { Connection, Database, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import { boolean, environment, profileStatus, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { isLocale, type Locale } from '@/lib/i18n/translator';
import { type Notify, readNotify } from './notify-rules';

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

/** Finds a merchant by its id or slug. For the operator only: does not check who may see the merchant. */
export async function findMerchant(db: Database, merchant: string): Promise<Merchant | null> {
  return db.prisma.merchant.findUnique({ where: isUuid(merchant) ? { id: merchant } : { slug: merchant }, select: LISTED });
}

export async function countMerchants(db: Database): Promise<number> {
  return db.prisma.merchant.count();
}

/** Inserts a merchant with its nested rows and the audit entry, in one transaction. */
export async function insertMerchant(
  db: Database,
  data: Prisma.MerchantCreateInput,
  audit: Prisma.AuditEntryCreateInput,
): Promise<Merchant> {
  const [merchant] = await db.prisma.$transaction([
    db.prisma.merchant.create({ data, select: LISTED }),
    db.prisma.auditEntry.create({ data: audit }),
  ]);
  return merchant;
}

export async function listSlugsLike(db: Database, slug: string): Promise<string[]> {
  const rows = await db.prisma.merchant.findMany({ where: { slug: { startsWith: slug } }, select: { slug: true } });
  return rows.map((row) => row.slug);
}

/** Absent fields stay as they are. */
export interface ProfileChange {
  readonly status?: ProfileStatus;
  readonly uniqueReferences?: boolean;
  /** Whether customers may pay a part of a bill on the payment page. */
  readonly partialPayments?: boolean;
}

const LOCK_PROFILE = statement({
  name: 'lock a profile',
  text: `SELECT status, unique_references AS "uniqueReferences", partial_payments AS "partialPayments"
         FROM merchant_profile WHERE merchant_id = $merchantId AND environment = $environment FOR NO KEY UPDATE`,
  parameters: { merchantId: uuid, environment },
  columns: { status: profileStatus, uniqueReferences: boolean, partialPayments: boolean },
});

/** Locks a profile until the transaction ends and returns it. Returns undefined if there is no such profile. */
export async function lockProfile(tx: Queryable, scope: Scope): Promise<Required<ProfileChange> | undefined> {
  return LOCK_PROFILE.first(tx, scope);
}

export async function updateProfile({ prisma }: Connection, { merchantId, environment }: Scope, change: ProfileChange): Promise<void> {
  await prisma.merchantProfile.updateMany({ where: { merchantId, environment }, data: change });
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
  return row ? readSettings(row) : undefined;
}

const LOCK_MERCHANT = statement({
  name: 'lock a merchant',
  text: 'SELECT id FROM merchant WHERE id = $id FOR NO KEY UPDATE',
  parameters: { id: uuid },
  columns: { id: uuid },
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

export async function updateSettings({ prisma }: Connection, id: string, settings: MerchantSettings): Promise<void> {
  const { name, language, notify, requireSecondFactor } = settings;
  await prisma.merchant.update({ where: { id }, data: { name, language, notify, requireSecondFactor } });
}

interface SettingsRow {
  readonly name: string;
  readonly language: string | null;
  readonly notify: unknown;
  readonly requireSecondFactor: boolean;
}

function readSettings({ language, notify, ...row }: SettingsRow): MerchantSettings {
  return { ...row, language: language !== null && isLocale(language) ? language : null, notify: readNotify(notify) };
}
