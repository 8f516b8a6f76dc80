import { type Access, operatorAccess, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import type { Actor } from '@/lib/core/actor';
import type { Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { needScope, type ScopeOptions } from './options';
import { UserError } from './output';

/** Grants the operator access to the merchant and environment that a command names. Throws a UserError if there is no such merchant. */
export async function needAccess(runtime: Runtime & { readonly actor: Actor }, options: Omit<ScopeOptions, 'json'>): Promise<Access> {
  return operatorAccess(runtime.actor, await needScope(runtime, options));
}

/** Returns the value of a use case that can refuse only members. Throws if it has refused the operator, because that is a bug. */
export function operatorResult<Value>(result: Result<Value, ProvenRefusal>): Value {
  if (!result.ok) throw new Error(`an operator was refused: ${result.error}`);
  return result.value;
}

/** Returns the value of a use case. Throws a UserError with the sentence for its refusal. */
export function valueOrRefusal<Value, Refusal extends string>(
  result: Result<Value, Refusal>,
  sentences: Readonly<Record<Exclude<Refusal, ProvenRefusal>, string>>,
): Value {
  if (!result.ok) throw new UserError(sentences[operatorRefusal(result.error)]);
  return result.value;
}

const REFUSALS: Readonly<Record<ProvenRefusal, true>> = { not_allowed: true, second_factor_due: true, not_proven: true };

/** Returns a refusal of a use case. Throws if only a member can get this refusal, because the operator has every permission. */
export function operatorRefusal<Refusal extends string>(refusal: Refusal): Exclude<Refusal, ProvenRefusal> {
  if (!isForOperators(refusal)) throw new Error(`an operator was refused: ${refusal}`);
  return refusal;
}

function isForOperators<Refusal extends string>(refusal: Refusal): refusal is Exclude<Refusal, ProvenRefusal> {
  return !Object.hasOwn(REFUSALS, refusal);
}
