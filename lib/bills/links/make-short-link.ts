import type { Bill } from '@/lib/bills/rules';
import { baseUrl } from '@/lib/config/settings';
import { shortCode } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { findCode, insertLink } from './store';

/**
 * The maximum number of random codes to create. A code that another bill has cannot be used. With 100 million bills, one new code in 11
 * billion cannot be used.
 */
const ATTEMPTS = 3;

/**
 * Returns the short payment link of a bill. A bill gets its code when its link is first shown, so that creating a bill
 * does not become slower: most bills of an API are never shared by hand. The caller has checked that the link may be shown.
 */
export async function makeShortLink(
  { db, settings, clock, random }: Pick<Runtime, 'db' | 'settings' | 'clock' | 'random'>,
  bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>,
): Promise<string> {
  let code = await findCode(db, bill.id);
  for (let attempt = 0; attempt < ATTEMPTS && code === undefined; attempt += 1) {
    await insertLink(db, { code: shortCode(random(8)), bill, createdAt: clock() });
    // Another request may have stored a code at the same time, so the stored one counts.
    code = await findCode(db, bill.id);
  }
  if (code === undefined) throw new Error(`no free code was found for the link of bill ${bill.id}`);
  return `${baseUrl(settings, bill.environment).origin}/p/${code}`;
}
