import type { Clock, Random } from '@/lib/core/clock';

/** Creates the issuer of a simulated provider's access tokens. */
export function createTokens({ clock, random, lifeMs }: { readonly clock: Clock; readonly random: Random; readonly lifeMs: number }) {
  const issued = new Map<string, number>();
  let count = 0;
  return {
    lifeMs,
    issue(): string {
      const token = Buffer.from(random(24)).toString('base64url');
      issued.set(token, clock().getTime() + lifeMs);
      count += 1;
      return token;
    },
    /**
     * Returns whether a request has a valid token.
     * @param authorization the value of the header, such as `Bearer …`. The scheme may have any case.
     */
    admits(authorization: string | undefined): boolean {
      const token = /^bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
      return (issued.get(token) ?? 0) > clock().getTime();
    },
    endAll: () => issued.clear(),
    /** Returns the number of tokens issued so far. */
    count: () => count,
  };
}

/** Creates a limit on the number of requests within any 60 seconds. */
export function createMinuteLimit(clock: Clock) {
  let times: number[] = [];
  return {
    /** Counts a request and returns true. If the limit is reached, only returns false. @param perMinute null for no limit. */
    take(perMinute: number | null): boolean {
      const now = clock().getTime();
      times = times.filter((time) => time > now - 60_000);
      if (perMinute !== null && times.length >= perMinute) return false;
      times.push(now);
      return true;
    },
    /** Returns the number of counted requests in the minute before the latest request. */
    used: () => times.length,
  };
}
