import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { type Access, operatorAccess, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { type Actor, operatorActor } from '@/lib/platform/core/actor';
import type { Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { needScope, type ScopeOptions } from './options';
import { UserError } from './output';

/** Accounts of machines and services. Their names do not identify a person. */
const NOBODY: readonly string[] = ['root', 'node', 'bili', 'nobody'];
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u;

/**
 * Finds who runs a command, and why: `BILI_OPERATOR` (set by `--as`), otherwise the login that called sudo, otherwise the login. The
 * address is that of the SSH client: null without SSH, or if sudo removed it. The reason is that of `--reason`, which the program puts into
 * `BILI_REASON`. Throws a UserError if BILI_OPERATOR is not a valid name. Pure.
 */
export function findOperator(env: Readonly<Record<string, string | undefined>>, login: string | null): Actor {
  const named = env.BILI_OPERATOR?.trim();
  if (named && (!NAME.test(named) || NOBODY.includes(named.toLowerCase()))) {
    throw new UserError(
      `--as and BILI_OPERATOR name a person: at most 64 letters, digits and . _ @ + -, and none of ${NOBODY.join(', ')}, but it is "${named.slice(0, 100)}".`,
    );
  }
  const name = named || [env.SUDO_USER, login].find((one) => one && NAME.test(one) && !NOBODY.includes(one));
  const [client = ''] = (env.SSH_CONNECTION ?? env.SSH_CLIENT ?? '').split(' ');
  return operatorActor(name ?? null, isIP(client) === 0 ? null : client, env.BILI_REASON ?? null);
}

export function thisOperator(): Actor {
  return findOperator(process.env, ownLogin());
}

/** Returns the login, or null if the operating system has no name for the user, as in some containers. */
function ownLogin(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

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
