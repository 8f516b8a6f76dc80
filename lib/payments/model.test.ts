import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '@/lib/core/clock';
import { openWorld, sequences } from '@/lib/testing/model/commands';
import { findEndWrongs, settle } from '@/lib/testing/model/settle';
import { setStage } from '@/lib/testing/model/world';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';

/** Set by `npm run test:model`; otherwise a few hundred sequences, another few hundred every time. */
const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY } = process.env;
const runs = Number(MODEL_RUNS ?? 200);
const TELL_EVERY_MS = 10_000;

const runtime = testRuntime();

test('the truth about the money survives whatever happens, in whatever order', { timeout: DAY_MS }, async () => {
  const stage = await setStage(runtime(), [await makeMerchant(runtime()), await makeMerchant(runtime())]);
  const began = performance.now();
  let toldAt = began;
  let done = 0;

  const property = fc.asyncProperty(sequences(MODEL_REPLAY), async (commands) => {
    const world = await openWorld(stage);
    await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
    await settle(world);
    const wrongs = await findEndWrongs(world);
    if (wrongs.length > 0) throw new Error(`in the end: ${wrongs.join('; ')}`);
    done += 1;
    if (MODEL_RUNS !== undefined && performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now();
      process.stderr.write(`${done} of ${runs} sequences, ${(done / ((toldAt - began) / 1_000)).toFixed(1)} a second\n`);
    }
  });
  await fc.assert(property, {
    numRuns: runs,
    ...(MODEL_SEED && { seed: Number(MODEL_SEED) }),
    ...(MODEL_PATH && { path: MODEL_PATH }),
  });
  expect(done).toBeGreaterThan(0);
});
