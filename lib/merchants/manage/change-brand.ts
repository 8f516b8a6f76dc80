import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { differences } from '@/lib/audit/differences';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Brand } from '@/lib/merchants/brand-rules';
import { type BrandChange, lockBrand, updateBrand } from '@/lib/merchants/brand-store';
import type { WriteRuntime } from '@/lib/runtime/runtime';

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
