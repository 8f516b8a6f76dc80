import { differences } from '@/lib/audit/differences';
import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Brand } from './brand-rules';
import { type BrandChange, lockBrand, updateBrand } from './brand-store';

interface ChangeBrandOptions {
  readonly merchantId: string;
  readonly change: BrandChange;
  readonly actor: string;
  readonly address?: string | null;
}

/** Changes a merchant's brand on the payment page, in both environments. Returns the new brand. */
export async function changeBrand(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { merchantId, change, actor, address = null }: ChangeBrandOptions,
): Promise<Brand> {
  const { logo, ...rest } = change;
  return runtime.db.transaction(async (tx) => {
    const before = await lockBrand(tx, merchantId);
    const brand = before && (await updateBrand(tx, merchantId, change));
    if (!brand) throw new Error(`there is no merchant ${merchantId}`);
    const data = differences({ ...before }, logo === undefined ? rest : { ...rest, logoHash: brand.logoHash });
    await recordEntry(runtime, { merchantId, environment: null, actor, action: 'brand.changed', subject: merchantId, address, data }, tx);
    return brand;
  });
}
