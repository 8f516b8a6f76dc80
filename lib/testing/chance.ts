/** @returns chances from 0 up to 1, the same ones for the same seed: a linear congruential generator, with Knuth's and Lewis' constants. Not for secrets. */
export function seededChances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
