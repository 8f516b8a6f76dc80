/** Returns a generator of numbers from 0 up to 1, deterministic by seed: a linear congruential generator. Not for secrets. */
export function seededChances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
