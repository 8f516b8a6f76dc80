import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '@/lib/core/clock';
import { histories, openWorld } from '@/lib/testing/model/commands';
import { PROFILES } from '@/lib/testing/model/profiles';
import { findEndWrongs, settle } from '@/lib/testing/model/settle';
import { setStage } from '@/lib/testing/model/stage';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';

/** `npm run test:model` sets these variables. Without them, the test runs a few hundred random histories, different ones each time. */
const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY, MODEL_PROFILE, MODEL_SHRINK } = process.env;
const runs = Number(MODEL_RUNS ?? 200);
const REPORT_EVERY_MS = 10_000;

const runtime = testRuntime();
const profiles = Object.entries(PROFILES).filter(([name]) => (MODEL_PROFILE ?? name) === name);
const stage = { current: undefined as Awaited<ReturnType<typeof setStage>> | undefined };

test.each(profiles)('money stays consistent in random histories: %s', { timeout: DAY_MS }, async (_name, profile) => {
  stage.current ??= await setStage(runtime(), [await makeMerchant(runtime()), await makeMerchant(runtime())]);
  const where = stage.current;
  const numRuns = Math.ceil(MODEL_PROFILE === undefined ? runs * profile.share : runs);
  const began = performance.now();
  let reportedAt = began;
  let done = 0;

  const property = fc.asyncProperty(
    histories(profile, MODEL_REPLAY),
    fc.boolean(),
    fc.nat({ max: 2 }),
    async (commands, callbacks, first) => {
      const world = await openWorld(where, profile, first);
      await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
      const wrongs = [...(await settle(world, callbacks)), ...(await findEndWrongs(world))];
      if (wrongs.length > 0) throw new Error(`in the end: ${wrongs.join('; ')}`);
      done += 1;
      if (MODEL_RUNS !== undefined && performance.now() - reportedAt > REPORT_EVERY_MS) {
        reportedAt = performance.now();
        process.stderr.write(`${done} of ${numRuns} histories, ${(done / ((reportedAt - began) / 1_000)).toFixed(1)} a second\n`);
      }
    },
  );
  const asserted = fc.assert(property, {
    numRuns,
    endOnFailure: MODEL_SHRINK === 'no',
    ...(MODEL_SEED && { seed: Number(MODEL_SEED) }),
    ...(MODEL_PATH && { path: MODEL_PATH }),
  });
  // A long run prints a failure at once, because Vitest prints it only at the end.
  if (MODEL_RUNS !== undefined) asserted.catch((error: unknown) => process.stderr.write(`${inspect(error)}\n`));
  await asserted;
  expect(done).toBeGreaterThan(0);
});
