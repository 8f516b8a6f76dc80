import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { differences, recordEntry } from '@/lib/identity/audit/record-entry';
import { type Brand, parseSupportNumber } from '@/lib/identity/merchants/brand-rules';
import { type BrandChange, lockBrand, updateBrand } from '@/lib/identity/merchants/brand-store';
import { encodeLogo } from '@/lib/identity/merchants/encode-logo';
import type { Logo, LogoProblem } from '@/lib/identity/merchants/logo-rules';
import { formatColour, parseColour } from '@/lib/platform/core/colour';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';

/** Changes a merchant's brand on the payment page, in both environments. Returns the new brand. */
export async function changeBrand(runtime: WriteRuntime, access: Access, change: BrandChange): Promise<Result<Brand, ProvenRefusal>> {
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const { merchantId } = scope;
  const { logo, ...rest } = change;
  return runtime.db.transaction(async (tx) => {
    const before = await lockBrand(tx, merchantId);
    const brand = before && (await updateBrand(tx, merchantId, change));
    if (!brand) throw new Error(`there is no merchant ${merchantId}`);
    const data = differences({ ...before }, logo === undefined ? rest : { ...rest, logoHash: brand.logoHash });
    await recordEntry(runtime, { merchantId, environment: null, actor, action: 'brand.changed', subject: merchantId, data }, tx);
    return ok(brand);
  });
}

/** Limits the pictures that a merchant uploads, because each takes a part of a second of a core. */
const LOGOS = [{ attempts: 20, seconds: 3_600 }];

type BrandProblem =
  | { readonly field: 'all'; readonly kind: ProvenRefusal }
  | { readonly field: 'colour'; readonly kind: 'colour_wrong' }
  | { readonly field: 'support'; readonly kind: 'support_wrong' }
  | { readonly field: 'logo'; readonly kind: LogoProblem['kind']; readonly problem: LogoProblem };

/** The values of the form. Absent ones are not changed. */
interface BrandForm {
  /** The text as it was typed. An empty text removes the colour. */
  readonly colour?: string;
  readonly support?: string;
  /** An image file. Null removes the logo. */
  readonly logo?: Uint8Array | null;
}

/** Changes the brand to the values of a form. Stores no value if one of them is invalid. */
export async function changeBrandFromForm(
  runtime: WriteRuntime,
  access: Access,
  { colour, support, logo }: BrandForm,
): Promise<Result<void, BrandProblem>> {
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  if (refusal) return fail({ field: 'all', kind: refusal });
  const rgb = colour?.trim() ? parseColour(colour.trim()) : null;
  if (rgb === null && colour?.trim()) return fail({ field: 'colour', kind: 'colour_wrong' });
  const supportNumber = support?.trim() ? parseSupportNumber(support) : null;
  if (supportNumber === null && support?.trim()) return fail({ field: 'support', kind: 'support_wrong' });
  const made = logo ? await readLogo(runtime, access.scope.merchantId, logo) : ok(logo);
  if (!made.ok) return fail({ field: 'logo', kind: made.error.kind, problem: made.error });
  const changed = await changeBrand(runtime, access, {
    ...(colour !== undefined && { brandColour: rgb && formatColour(rgb) }),
    ...(support !== undefined && { supportNumber }),
    ...(made.value !== undefined && { logo: made.value }),
  });
  return changed.ok ? ok(undefined) : fail({ field: 'all', kind: changed.error });
}

async function readLogo(runtime: WriteRuntime, merchantId: string, source: Uint8Array): Promise<Result<Logo, LogoProblem>> {
  if ((await countAttempt(runtime, [{ key: `logo/${merchantId}`, windows: LOGOS }])) !== null) return fail({ kind: 'too_often' });
  return encodeLogo(source, merchantId);
}
