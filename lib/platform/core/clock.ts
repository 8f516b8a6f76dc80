/** Returns the current time. Code gets its clock as a parameter, so that tests can change the time. */
export type Clock = () => Date;

/** Returns cryptographically strong random bytes. */
export type Random = (bytes: number) => Uint8Array;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export function addMs(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}
