import fc from 'fast-check';
import { readBooks } from './books';
import * as gateway from './gateway-steps';
import { findWrongs } from './invariants';
import type { Profile, Step } from './profiles';
import type { Stage } from './stage';
import { createWorld, type World } from './world';

/** The model of fast-check is empty: the gateway is compared with the provider's record, which is part of the world. */
type Model = Record<string, never>;
type Command = fc.AsyncCommand<Model, World>;

/** Runs several steps at the same time, on separate connections. */
const together = (anyStep: fc.Arbitrary<Step>) =>
  fc.array(anyStep, { minLength: 2, maxLength: 4 }).map(
    (steps): Step => ({
      async run(world) {
        gateway.waitForOne(world, [...world.books.attempts, ...world.books.refunds, ...world.books.instruments]);
        world.frozen = true;
        try {
          await Promise.all(steps.map((one) => one.run(world)));
        } finally {
          world.frozen = false;
        }
      },
      toString: () => `together(${steps.join(', ')})`,
    }),
  );

function toCommand(one: Step): Command {
  return {
    check: () => true,
    async run(_model, world) {
      const before = world.books;
      world.turnedAway.clear();
      world.sent.length = 0;
      world.claimsBefore = new Set(world.claims);
      await one.run(world);
      world.books = await readBooks(world.runtime.db);
      const wrongs = findWrongs(world, before);
      if (wrongs.length > 0) throw new Error(`after ${one}: ${wrongs.join('; ')}`);
    },
    toString: () => one.toString(),
  };
}

/** @param replayPath the path that fast-check printed, to repeat one failure. */
export function histories({ steps, together: weight, length }: Profile, replayPath: string | undefined): fc.Arbitrary<Iterable<Command>> {
  const single = steps.map(([often, arbitrary]) => ({ weight: often, arbitrary }));
  const anyStep = fc.oneof(...single, { weight, arbitrary: together(fc.oneof(...single)) });
  return fc.commands([anyStep.map(toCommand)], { maxCommands: length, size: 'max', ...(replayPath && { replayPath }) });
}

/**
 * Creates a world with the profile's first bills, whose attempts are due. Histories begin in this state, because few steps are then enough
 * to reach interesting states.
 * @param first the bill whose attempt is due first: 0 to 2.
 */
export async function openWorld(stage: Stage, { mobiles, service, bills = 3 }: Profile, first: number): Promise<World> {
  const world = await createWorld(stage, service);
  for (const index of [first, first + 1, first + 2].slice(0, bills)) {
    await gateway.create(world, { amount: 0, mobile: mobiles[index % 3] ?? 0, merchant: index % 2 });
    world.books = await readBooks(world.runtime.db);
  }
  return world;
}
