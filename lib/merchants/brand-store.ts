import type { Connection, Queryable } from '@/lib/db/database';
import { bytea, neverNull, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Brand } from './brand-rules';
import type { Logo } from './logo-rules';
import { lockMerchant } from './store';

/** The columns of a Brand, of a merchant aliased `m`. The logo itself is not read with them: it is stored apart from its row. */
export const BRAND_COLUMNS = `m.brand_colour AS "brandColour", m.support_number AS "supportNumber", m.logo_hash AS "logoHash",
  m.logo_width AS "logoWidth", m.logo_height AS "logoHeight"`;

/** What is absent stays; null takes it away. */
export interface BrandChange {
  readonly brandColour?: string | null | undefined;
  readonly supportNumber?: string | null | undefined;
  readonly logo?: Logo | null | undefined;
}

const BRAND = { brandColour: true, supportNumber: true, logoHash: true, logoWidth: true, logoHeight: true } as const;

export async function findBrand({ prisma }: Connection, merchantId: string): Promise<Brand | undefined> {
  return (await prisma.merchant.findUnique({ where: { id: merchantId }, select: BRAND })) ?? undefined;
}

/** @returns how it stands, and holds it until the transaction ends. */
export async function lockBrand(tx: Connection, merchantId: string): Promise<Brand | undefined> {
  await lockMerchant(tx, merchantId);
  return findBrand(tx, merchantId);
}

const NO_LOGO = { logo: null, logoType: null, logoHash: null, logoWidth: null, logoHeight: null };

/** @returns how it stands then; undefined when there is no such merchant. */
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
  parameters: { merchantId: uuid, hash: text },
  // A logo has its hash with it: a CHECK says so.
  columns: { bytes: neverNull(bytea), type: neverNull(text) },
});

export interface StoredLogo {
  readonly bytes: Buffer;
  /** `image/png` or `image/jpeg`. */
  readonly type: string;
}

/** For whoever has a page that shows it: a logo is no secret. */
export async function findLogo(db: Queryable, merchantId: string, hash: string): Promise<StoredLogo | undefined> {
  return SELECT_LOGO.first(db, { merchantId, hash });
}
