import type { Queryable } from '@/lib/db/database';
import type { Brand } from './brand-rules';
import type { Logo } from './logo-rules';

/** The columns of a Brand, of a merchant aliased `m`. The logo itself is not read with them: it is stored apart from its row. */
export const BRAND_COLUMNS = `m.brand_colour AS "brandColour", m.support_number AS "supportNumber", m.logo_hash AS "logoHash",
  m.logo_width AS "logoWidth", m.logo_height AS "logoHeight"`;

/** What is absent stays; null takes it away. */
export interface BrandChange {
  readonly brandColour?: string | null | undefined;
  readonly supportNumber?: string | null | undefined;
  readonly logo?: Logo | null | undefined;
}

export async function findBrand(db: Queryable, merchantId: string): Promise<Brand | undefined> {
  const [brand] = await db.query<Brand>({ text: `SELECT ${BRAND_COLUMNS} FROM merchant m WHERE m.id = $1` }, [merchantId]);
  return brand;
}

/** @returns how it stands, and holds it until the transaction ends. */
export async function lockBrand(tx: Queryable, merchantId: string): Promise<Brand | undefined> {
  const [brand] = await tx.query<Brand>({ text: `SELECT ${BRAND_COLUMNS} FROM merchant m WHERE m.id = $1 FOR NO KEY UPDATE` }, [
    merchantId,
  ]);
  return brand;
}

/** @returns how it stands then; undefined when there is no such merchant. */
export async function updateBrand(on: Queryable, merchantId: string, change: BrandChange): Promise<Brand | undefined> {
  const { brandColour, supportNumber, logo } = change;
  const [brand] = await on.query<Brand>(
    {
      text: `UPDATE merchant m SET
               brand_colour = CASE WHEN $2 THEN $3 ELSE brand_colour END,
               support_number = CASE WHEN $4 THEN $5 ELSE support_number END,
               logo = CASE WHEN $6 THEN $7 ELSE logo END,
               logo_type = CASE WHEN $6 THEN $8 ELSE logo_type END,
               logo_hash = CASE WHEN $6 THEN $9 ELSE logo_hash END,
               logo_width = CASE WHEN $6 THEN $10 ELSE logo_width END,
               logo_height = CASE WHEN $6 THEN $11 ELSE logo_height END
             WHERE id = $1
             RETURNING ${BRAND_COLUMNS}`,
    },
    [
      merchantId,
      brandColour !== undefined,
      brandColour,
      supportNumber !== undefined,
      supportNumber,
      logo !== undefined,
      logo?.bytes,
      logo?.type,
      logo?.hash,
      logo?.width,
      logo?.height,
    ],
  );
  return brand;
}

/** For whoever has a page that shows it: a logo is no secret. */
export async function findLogo(db: Queryable, merchantId: string, hash: string): Promise<Pick<Logo, 'bytes' | 'type'> | undefined> {
  const [logo] = await db.query<Pick<Logo, 'bytes' | 'type'>>(
    {
      name: 'select-logo',
      text: 'SELECT logo AS bytes, logo_type AS type FROM merchant WHERE id = $1 AND logo_hash = $2',
    },
    [merchantId, hash],
  );
  return logo;
}
