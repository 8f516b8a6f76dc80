import { parseShortCode } from '@/lib/core/ids';
import type { Environment } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { findBillOfLink } from './store';

/** The longest text in which a code is looked for. */
const TYPED_MAX = 40;

/**
 * Returns the id of the bill to which the code of a short link belongs; undefined if no bill of the environment has this code. @param typed
 * the code, as a person typed it or as an opened link contains it.
 */
export async function findLinkedBill({ db }: Pick<Runtime, 'db'>, environment: Environment, typed: string): Promise<string | undefined> {
  const code = typed.length > TYPED_MAX ? null : parseShortCode(typed);
  return code === null ? undefined : findBillOfLink(db, environment, code);
}
