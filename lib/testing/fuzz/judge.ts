/** The most that one field may cost at its largest accepted size, milliseconds of processor time. */
export const COST_MAX_MS = 500;
/** Growth is judged only where it costs at least so much: below, noise decides, and nobody is harmed. */
export const FLOOR_MS = 60;
/** Twice as much input costs twice as much in a linear parser, and four times as much in a quadratic one. */
const GROWTH_MAX = 3;

/** What requests cost that differ in the size of one field alone, milliseconds of processor time, each measured a few times. */
export interface Costs {
  readonly full: readonly number[];
  readonly half: readonly number[];
  /** With next to nothing in the field: what the request costs anyhow. */
  readonly small: readonly number[];
}

export type Verdict = 'fine' | 'too much' | 'grows too fast';

/** Judges by the least of each: garbage collection and compilation only ever add. Pure. */
export function judge({ full, half, small }: Costs): Verdict {
  const [most, middle, least] = [full, half, small].map((costs) => Math.min(...costs));
  if (most === undefined || middle === undefined || least === undefined) throw new Error('there are three sizes');
  if (most > COST_MAX_MS) return 'too much';
  if (most - least < FLOOR_MS) return 'fine';
  return most - least > GROWTH_MAX * (middle - least) ? 'grows too fast' : 'fine';
}
