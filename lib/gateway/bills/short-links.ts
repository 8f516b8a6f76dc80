import { baseUrl } from '@/lib/platform/config/settings';
import { parseShortCode, shortCode } from '@/lib/platform/core/ids';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import { billLink } from '@/lib/platform/db/generated/tables';
import { pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Bill } from './rules';

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
    const { id: billId, merchantId, environment } = bill;
    const data = { code: shortCode(random(8)), merchantId, environment, billId, createdAt: clock() };
    await db.prisma.billLink.createMany({ data, skipDuplicates: true });
    // Another request may have stored a code at the same time, so the stored one counts.
    code = await findCode(db, bill.id);
  }
  if (code === undefined) throw new Error(`no free code was found for the link of bill ${bill.id}`);
  return `${baseUrl(settings, bill.environment).origin}/p/${code}`;
}

/** Returns the code of a bill's short link, if it has one. */
async function findCode({ prisma }: Connection, billId: string): Promise<string | undefined> {
  return (await prisma.billLink.findUnique({ where: { billId }, select: { code: true } }))?.code;
}

const FIND_BILL = statement({
  name: 'select-bill-link',
  prepared: true,
  text: 'SELECT bill_id AS "billId" FROM bill_link WHERE code = $code AND environment = $environment',
  parameters: pick(billLink, 'code environment'),
  columns: { billId: billLink.billId },
});

/** The longest text in which a code is looked for. */
const TYPED_MAX = 40;

/**
 * Returns the id of the bill to which the code of a short link belongs; undefined if no bill of the environment has this code. @param typed
 * the code, as a person typed it or as an opened link contains it.
 */
export async function findLinkedBill({ db }: Pick<Runtime, 'db'>, environment: Environment, typed: string): Promise<string | undefined> {
  const code = typed.length > TYPED_MAX ? null : parseShortCode(typed);
  return code === null ? undefined : (await FIND_BILL.first(db, { code, environment }))?.billId;
}
