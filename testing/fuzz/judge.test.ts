import { expect, test } from 'vitest';
import { COST_MAX_MS, FLOOR_MS, judge } from './judge';

test.each([
  ['linear, with what the request costs anyhow', [220], [120], [20], 'fine'],
  ['n log n', [20 + 17 * 10], [20 + 16 * 5], [20 + 11 / 3], 'fine'],
  ['quadratic', [20 + 400], [20 + 100], [20], 'grows too fast'],
  ['quadratic, in a request that costs much anyhow', [200 + 160], [200 + 40], [200], 'grows too fast'],
  ['quadratic and linear in equal parts', [20 + 100 + 100], [20 + 50 + 25], [20], 'fine'],
  ['mostly quadratic', [20 + 60 + 240], [20 + 30 + 60], [20], 'grows too fast'],
  ['cubic', [20 + 320], [20 + 40], [20], 'grows too fast'],
  ['quadratic below the floor', [20 + FLOOR_MS - 1], [20 + 15], [20], 'fine'],
  ['costly whatever is in the field', [300], [300], [300], 'fine'],
  ['the most that is allowed', [COST_MAX_MS], [COST_MAX_MS / 2], [0], 'fine'],
  ['more than that, if only linear', [COST_MAX_MS + 1], [COST_MAX_MS / 2], [0], 'too much'],
  ['noise above, once each', [900, 100, 800], [60, 700, 500], [800, 20, 30], 'fine'],
  ['noise above a slow one', [900, 420, 800], [120, 700, 500], [800, 20, 30], 'grows too fast'],
] as const)('%s', (_, full, half, small, verdict) => {
  expect(judge({ full, half, small })).toBe(verdict);
});
