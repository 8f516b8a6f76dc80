import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '@/lib/platform/core/clock';
import { histories, openWorld } from '@/testing/model/commands';
import { PROFILES, type Profile } from '@/testing/model/profiles';
import { findEndWrongs, settle } from '@/testing/model/settle';
import { setStage } from '@/testing/model/stage';
import { makeMerchant, testRuntime } from '@/testing/runtime';

/** `npm run test:model` sets these variables. Without them, the histories are different ones each time. */
const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY, MODEL_PROFILE, MODEL_SHRINK } = process.env;
/** How many histories `npm test` runs, and how many more the full suite. */
const RUNS = 50;
const MORE_RUNS = 150;
const REPORT_EVERY_MS = 10_000;

const runtime = testRuntime();
const profiles = Object.entries(PROFILES).filter(([name]) => (MODEL_PROFILE ?? name) === name);
const stage = { current: undefined as Awaited<ReturnType<typeof setStage>> | undefined };

test.each(profiles)('money stays consistent in random histories: %s', { timeout: DAY_MS }, async (_name, profile) => {
  expect(await runHistories(profile, Number(MODEL_RUNS ?? RUNS))).toBeGreaterThan(0);
});

const inFull = { timeout: DAY_MS, tags: ['full' as const] };
test.skipIf(MODEL_RUNS !== undefined).each(profiles)('money stays consistent in more histories: %s', inFull, async (_name, profile) => {
  expect(await runHistories(profile, MORE_RUNS)).toBeGreaterThan(0);
});

/** Throws if the money is not consistent in each of these histories. Returns their number. */
async function runHistories(profile: Profile, runs: number): Promise<number> {
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
  return done;
}
