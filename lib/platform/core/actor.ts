// Every actor has a property with this symbol as its name. The symbol is not exported, so only this file can make actors.
const made = Symbol('made');

/** Who does something, and from where. The audit log stores both. */
export interface Actor {
  readonly [made]: true;
  readonly kind: 'user' | 'operator' | 'key' | 'system' | 'anonymous';
  /** As the audit log stores it: `user:<email>`, `operator:<login>`, `key:<id>`, `system:<part>`, `anonymous`. */
  readonly name: string;
  /** The network address of the request or of the SSH client; null when there is none. */
  readonly address: string | null;
  /** The reason that the operator gave with a command. Null for everybody else. */
  readonly reason: string | null;
}

/** Makes the actor of a person with an account. */
export function userActor({ email }: { readonly email: string }, address: string | null): Actor {
  return { [made]: true, kind: 'user', name: `user:${email}`, address, reason: null };
}

/** Makes the actor of a command. @param login null if the person who runs it is unknown. */
export function operatorActor(login: string | null, address: string | null = null, reason: string | null = null): Actor {
  return { [made]: true, kind: 'operator', name: login === null ? UNKNOWN_OPERATOR : `operator:${login}`, address, reason };
}

/** Makes the actor of a request that an API key authenticates. */
export function keyActor(id: string): Actor {
  return { [made]: true, kind: 'key', name: `key:${id}`, address: null, reason: null };
}

/** Makes the actor of a part of Bili that acts without a person. */
export function systemActor(part: 'worker' | 'accounts'): Actor {
  return { [made]: true, kind: 'system', name: `system:${part}`, address: null, reason: null };
}

/** Makes the actor of a person who has not signed in. */
export function anonymousActor(address: string | null): Actor {
  return { [made]: true, kind: 'anonymous', name: 'anonymous', address, reason: null };
}

const UNKNOWN_OPERATOR = 'operator:unknown';

/** Pure. Returns true if the actor is a command that an unknown person runs. Such commands are refused outside the sandbox. */
export function isUnknownOperator({ name }: Actor): boolean {
  return name === UNKNOWN_OPERATOR;
}
