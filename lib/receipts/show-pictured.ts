import { findBillByLink } from '@/lib/bills/linked-bill';
import { isUuid } from '@/lib/core/ids';
import type { Environment } from '@/lib/core/scope';
import { showLogo } from '@/lib/merchants/show-logo';
import type { Runtime } from '@/lib/runtime/runtime';
import { showReceipt } from './show-receipt';

/** What is drawn in the pictures of a bill and of its receipt. */
export type Pictured = NonNullable<Awaited<ReturnType<typeof showPictured>>>;

/**
 * Returns what is drawn in the pictures: a bill, its receipt if anything is paid, and the merchant's logo. Anybody who has the link of the
 * bill may see the pictures.
 */
export async function showPictured(
  runtime: Pick<Runtime, 'db' | 'secrets' | 'settings' | 'clock'>,
  environment: Environment,
  billId: string,
) {
  const bill = isUuid(billId) ? await findBillByLink(runtime.db, environment, billId) : undefined;
  if (!bill) return undefined;
  const { merchantId, logoHash, logoWidth, logoHeight } = bill;
  const logo = logoHash === null ? undefined : await showLogo(runtime, merchantId, logoHash);
  return {
    bill,
    receipt: await showReceipt(runtime, bill),
    logo: logo && logoWidth !== null && logoHeight !== null ? { ...logo, width: logoWidth, height: logoHeight } : undefined,
  };
}
