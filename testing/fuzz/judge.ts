/** The maximum cost of a field at its largest accepted size, milliseconds of processor time. */
export const COST_MAX_MS = 500;
/** The minimum cost at which growth is judged. Below it, measurements are noise, and nobody is harmed. */
export const FLOOR_MS = 60;
/** Twice the input costs twice as much in a linear parser, and four times as much in a quadratic one. */
const GROWTH_MAX = 3;

/** The costs of requests that differ only in the size of one field, milliseconds of processor time. Each is measured several times. */
export interface Costs {
  readonly full: readonly number[];
  readonly half: readonly number[];
  /** With an almost empty field: the base cost of the request. */
  readonly small: readonly number[];
}

export type Verdict = 'fine' | 'too much' | 'grows too fast';

/** Judges by the minimum of each cost, because garbage collection and compilation only add to it. Pure. */
export function judge({ full, half, small }: Costs): Verdict {
  const [most, middle, least] = [full, half, small].map((costs) => Math.min(...costs));
  if (most === undefined || middle === undefined || least === undefined) throw new Error('there are three sizes');
  if (most > COST_MAX_MS) return 'too much';
  if (most - least < FLOOR_MS) return 'fine';
  return most - least > GROWTH_MAX * (middle - least) ? 'grows too fast' : 'fine';
}
