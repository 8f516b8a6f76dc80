import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { type Actor, operatorActor } from '@/lib/core/actor';
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
