import { oldestPrompt } from './upcoming-store';

/** The kinds of rows whose times a change of sandbox time makes earlier, in this order. */
const KINDS = ['paymentRequests', 'bills', 'webhooks'] as const;
type MovedKind = (typeof KINDS)[number];

/** The position at which the next call continues to move the times of a sandbox. */
export interface TimePosition {
  readonly kind: MovedKind;
  readonly at: Date;
  readonly id: string;
}

const CURSOR = /^([012])\.(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the position at which the first call starts to move the times of a sandbox. */
export function firstPosition(now: Date): TimePosition {
  return { kind: 'paymentRequests', at: now, id: oldestPrompt(now) };
}

/** Returns the position before the first row of the next kind; null after the last kind. */
export function nextKind({ kind }: TimePosition, now: Date): TimePosition | null {
  const next = KINDS[KINDS.indexOf(kind) + 1];
  return next ? { kind: next, at: now, id: next === 'bills' ? HIGHEST_ID : LOWEST_ID } : null;
}

export function formatPosition({ kind, at, id }: TimePosition): string {
  return `${KINDS.indexOf(kind)}.${at.getTime()}.${id}`;
}

/** @returns null for a text that `formatPosition` did not make. */
export function parsePosition(text: string): TimePosition | null {
  const [, number = '', at = '', id = ''] = CURSOR.exec(text) ?? [];
  const kind = number === '' ? undefined : KINDS[Number(number)];
  return kind ? { kind, at: new Date(Number(at)), id } : null;
}
