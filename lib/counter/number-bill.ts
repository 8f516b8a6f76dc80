import { newId, newPaymentReference } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { type CounterOf, findOpenShift, insertShift, nextNumber, type Shift } from './shift-store';

const CODE_LENGTH = 4;
/**
 * How often Bili tries to open a shift, and how often it tries to get a number in an open shift. The first can fail because an earlier
 * shift of the merchant has the generated code (for each earlier shift, the probability is one in a million). The second can fail
 * because another request has closed the shift meanwhile.
 */
const TRIES = 10;

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/** Returns the member's open shift. Opens one if there is none: the first bill starts the shift. */
async function openShift(runtime: Needs, of: CounterOf): Promise<Shift> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const open = await findOpenShift(runtime.db, of);
    if (open) return open;
    const code = newPaymentReference(runtime.random).slice(0, CODE_LENGTH);
    const opened = await insertShift(runtime.db, of, { id: newId(runtime), code, openedAt: runtime.clock() });
    if (opened) return opened;
  }
  throw new Error(`no shift could be opened for ${of.userId}`);
}

interface Numbered {
  readonly shiftId: string;
  readonly number: number;
  /** The generated reference: short, easy to read aloud, and unique for the merchant. */
  readonly reference: string;
}

/** Returns the next number of the member's open shift. If another request closes that shift meanwhile, opens a new shift. */
export async function numberBill(runtime: Needs, of: CounterOf): Promise<Numbered> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { id, code } = await openShift(runtime, of);
    const number = await nextNumber(runtime.db, id);
    if (number !== undefined) return { shiftId: id, number, reference: `${code}-${number}` };
  }
  throw new Error(`the shifts of ${of.userId} are closed as soon as they are opened`);
}
