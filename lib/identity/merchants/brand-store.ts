import { isUuid } from '@/lib/platform/core/ids';
import type { Connection } from '@/lib/platform/db/database';
import { merchant } from '@/lib/platform/db/generated/tables';
import { neverNull, text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Brand } from './brand-rules';
import type { Logo } from './logo-rules';
import { lockMerchant } from './store';

/**
 * The columns of a `Brand`, for a merchant with the alias `m`. The bytes of the logo are not among them, because PostgreSQL stores them
 * apart from the row.
 */
export const BRAND_COLUMNS = `m.brand_colour AS "brandColour", m.support_number AS "supportNumber", m.logo_hash AS "logoHash",
  m.logo_width AS "logoWidth", m.logo_height AS "logoHeight"`;

/** Absent fields stay as they are. Null removes a value. */
export interface BrandChange {
  readonly brandColour?: string | null | undefined;
  readonly supportNumber?: string | null | undefined;
  readonly logo?: Logo | null | undefined;
}

const BRAND = { brandColour: true, supportNumber: true, logoHash: true, logoWidth: true, logoHeight: true } as const;

export async function findBrand({ prisma }: Connection, merchantId: string): Promise<Brand | undefined> {
  return (await prisma.merchant.findUnique({ where: { id: merchantId }, select: BRAND })) ?? undefined;
}

/** Locks a merchant until the transaction ends and returns its brand. */
export async function lockBrand(tx: Connection, merchantId: string): Promise<Brand | undefined> {
  await lockMerchant(tx, merchantId);
  return findBrand(tx, merchantId);
}

const NO_LOGO = { logo: null, logoType: null, logoHash: null, logoWidth: null, logoHeight: null };

/** Changes a merchant's brand and returns the new one. Returns undefined if there is no such merchant. */
export async function updateBrand({ prisma }: Connection, merchantId: string, change: BrandChange): Promise<Brand | undefined> {
  const { brandColour, supportNumber, logo } = change;
  const [brand] = await prisma.merchant.updateManyAndReturn({
    where: { id: merchantId },
    data: {
      ...(brandColour !== undefined && { brandColour }),
      ...(supportNumber !== undefined && { supportNumber }),
      ...(logo && {
        logo: new Uint8Array(logo.bytes),
        logoType: logo.type,
        logoHash: logo.hash,
        logoWidth: logo.width,
        logoHeight: logo.height,
      }),
      ...(logo === null && NO_LOGO),
    },
    select: BRAND,
  });
  return brand;
}

const SELECT_LOGO = statement({
  name: 'select-logo',
  prepared: true,
  text: 'SELECT logo AS bytes, logo_type AS type FROM merchant WHERE id = $merchantId AND logo_hash = $hash',
  parameters: { merchantId: merchant.id, hash: text },
  // A CHECK guarantees that bytes and type are set together with the hash.
  columns: { bytes: neverNull(merchant.logo), type: neverNull(merchant.logoType) },
});

interface StoredLogo {
  readonly bytes: Buffer;
  /** `image/png` or `image/jpeg`. */
  readonly type: string;
}

/** Returns a merchant's present logo. Needs no permission, because logos are public. Returns undefined if `hash` is not that of the present logo. */
export async function showLogo({ db }: Pick<Runtime, 'db'>, merchantId: string, hash: string): Promise<StoredLogo | undefined> {
  return isUuid(merchantId) && /^[\da-f]{64}$/.test(hash) ? SELECT_LOGO.first(db, { merchantId, hash }) : undefined;
}
