import { SECOND_MS } from '@/lib/core/clock';
import type { ResolvedName } from './resolve-name';

/** The shortest and the longest time in milliseconds until a name is resolved again. Between them, the TTL of its DNS records applies. */
const MIN_MS = 5 * SECOND_MS;
const MAX_MS = 60 * SECOND_MS;
const MAX_NAMES = 1_000;

/** Remembers the addresses of names until the TTL of their DNS records has passed. */
export class PinnedNames {
  readonly #names = new Map<string, ResolvedName & { readonly until: number }>();
  readonly #now: () => number;

  /** @param now a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): ResolvedName | undefined {
    const name = this.#names.get(key);
    return name && this.#now() < name.until ? name : undefined;
  }

  set(key: string, resolved: ResolvedName): void {
    const lifetime = Math.min(Math.max(resolved.ttlMs, MIN_MS), MAX_MS);
    this.#names.delete(key);
    this.#names.set(key, { ...resolved, until: this.#now() + lifetime });
    const [oldest] = this.#names.keys();
    if (this.#names.size > MAX_NAMES && oldest !== undefined) this.#names.delete(oldest);
  }

  delete(key: string): void {
    this.#names.delete(key);
  }
}
