import { isUuid } from '@/lib/core/ids';
import type { Environment, Scope } from '@/lib/core/scope';
import type { Database, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import type { Locale } from '@/lib/i18n/translator';
import { type Notify, readNotify } from './notify-rules';

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

/** One transaction: the merchant and all that is nested in it, and who made it. */
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

/** @returns how it stands, and holds it until the transaction ends; undefined when there is no such profile. */
export async function lockProfile(tx: Queryable, { merchantId, environment }: Scope): Promise<Required<ProfileChange> | undefined> {
  const [profile] = await tx.query<Required<ProfileChange>>(
    {
      text: `SELECT status, unique_references AS "uniqueReferences", partial_payments AS "partialPayments"
             FROM merchant_profile WHERE merchant_id = $1 AND environment = $2 FOR NO KEY UPDATE`,
    },
    [merchantId, environment],
  );
  return profile;
}

export async function updateProfile(
  tx: Queryable,
  { merchantId, environment }: Scope,
  { status, uniqueReferences, partialPayments }: ProfileChange,
): Promise<void> {
  await tx.query(
    {
      text: `UPDATE merchant_profile SET status = coalesce($3, status), unique_references = coalesce($4, unique_references),
               partial_payments = coalesce($5, partial_payments)
             WHERE merchant_id = $1 AND environment = $2`,
    },
    [merchantId, environment, status, uniqueReferences, partialPayments],
  );
}

/** Who somebody is to customers and how they are written to; the brand stands in brand-store. */
export interface MerchantSettings {
  readonly name: string;
  readonly language: Locale | null;
  readonly notify: Notify;
  /** Whether members need a second factor to change anything, also in the sandbox. */
  readonly requireSecondFactor: boolean;
}

interface SettingsRow extends Omit<MerchantSettings, 'notify'> {
  readonly notify: unknown;
}

export async function findSettings(db: Queryable, merchantId: string): Promise<MerchantSettings | undefined> {
  return readSettings(
    await db.query<SettingsRow>(
      { text: 'SELECT name, language, notify, require_second_factor AS "requireSecondFactor" FROM merchant WHERE id = $1' },
      [merchantId],
    ),
  );
}

/** @returns how they stand, and holds them until the transaction ends. */
export async function lockSettings(tx: Queryable, merchantId: string): Promise<MerchantSettings | undefined> {
  const text =
    'SELECT name, language, notify, require_second_factor AS "requireSecondFactor" FROM merchant WHERE id = $1 FOR NO KEY UPDATE';
  return readSettings(await tx.query<SettingsRow>({ text }, [merchantId]));
}

export async function updateSettings(tx: Queryable, merchantId: string, settings: MerchantSettings): Promise<void> {
  const { name, language, notify, requireSecondFactor } = settings;
  const text = 'UPDATE merchant SET name = $2, language = $3, notify = $4, require_second_factor = $5 WHERE id = $1';
  await tx.query({ text }, [merchantId, name, language, notify, requireSecondFactor]);
}

function readSettings([row]: readonly SettingsRow[]): MerchantSettings | undefined {
  return row && { ...row, notify: readNotify(row.notify) };
}
