import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { formatColour, parseColour } from '@/lib/core/colour';
import { fail, ok, type Result } from '@/lib/core/result';
import { parseSupportNumber } from '@/lib/merchants/brand-rules';
import { changeBrand } from '@/lib/merchants/change-brand';
import { encodeLogo } from '@/lib/merchants/encode-logo';
import type { Logo, LogoProblem } from '@/lib/merchants/logo-rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { type SettingsDoor, settingsDoor } from './settings-door';

type BrandProblem =
  | { readonly field: 'all'; readonly kind: SettingsDoor }
  | { readonly field: 'colour'; readonly kind: 'colour_wrong' }
  | { readonly field: 'support'; readonly kind: 'support_wrong' }
  | { readonly field: 'logo'; readonly kind: LogoProblem['kind']; readonly problem: LogoProblem };

/** What to change; what is absent stays as it is. */
interface ChangeOwnBrandOptions {
  /** As typed; empty for none. */
  readonly colour?: string;
  readonly support?: string;
  /** A picture as it was sent; null takes the logo away. */
  readonly logo?: Uint8Array | null;
  readonly address: string | null;
}

/** A member changes what customers see of the merchant on the payment page, in both environments; all of it or nothing. */
export async function changeOwnBrand(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { colour, support, logo, address }: ChangeOwnBrandOptions,
): Promise<Result<void, BrandProblem>> {
  const door = settingsDoor(access, runtime.clock());
  if (door) return fail({ field: 'all', kind: door });
  const rgb = colour?.trim() ? parseColour(colour.trim()) : null;
  if (rgb === null && colour?.trim()) return fail({ field: 'colour', kind: 'colour_wrong' });
  const supportNumber = support?.trim() ? parseSupportNumber(support) : null;
  if (supportNumber === null && support?.trim()) return fail({ field: 'support', kind: 'support_wrong' });
  const made = await readLogo(logo);
  if (!made.ok) return fail({ field: 'logo', kind: made.error.kind, problem: made.error });
  await changeBrand(runtime, {
    merchantId: access.scope.merchantId,
    change: {
      ...(colour !== undefined && { brandColour: rgb && formatColour(rgb) }),
      ...(support !== undefined && { supportNumber }),
      ...(made.value !== undefined && { logo: made.value }),
    },
    actor: `user:${access.user.email}`,
    address,
  });
  return ok(undefined);
}

async function readLogo(source: Uint8Array | null | undefined): Promise<Result<Logo | null | undefined, LogoProblem>> {
  return source ? encodeLogo(source) : ok(source);
}
