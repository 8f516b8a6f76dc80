import fc from 'fast-check';
import { FATES } from '../fake-adapter';
import { readBooks } from './books';
import * as closing from './closing-steps';
import * as gateway from './gateway-steps';
import { findWrongs } from './invariants';
import * as operator from './operator-steps';
import * as provider from './provider-steps';
import { createWorld, type Stage, type World } from './world';

/** The model is the provider's own record, in the world: a command needs nothing else to be possible. */
type Model = Record<string, never>;
type Command = fc.AsyncCommand<Model, World>;

/** One thing that happens; a pure description by small numbers, which choose among what there is when it happens. */
interface Step {
  run(world: World): Promise<void>;
  toString(): string;
}

const small = fc.nat({ max: 7 });
const tiny = fc.nat({ max: 3 });
/** Zero two times of three: mostly nothing goes wrong, or no sequence would get far. */
const mostlyZero = (max: number) => fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max }) });
const script = { fate: mostlyZero(FATES.length - 1), word: mostlyZero(4) };

function step<Args>(
  run: (world: World, args: Args) => Promise<void>,
  shape: { [Key in keyof Args]: fc.Arbitrary<Args[Key]> },
): fc.Arbitrary<Step> {
  return fc.record(shape).map((args) => ({
    run: (world) => run(world, args),
    toString: () =>
      `${run.name}(${Object.entries(args)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', ')})`,
  }));
}

/** How often each comes, by weight. */
const STEPS: readonly (readonly [number, fc.Arbitrary<Step>])[] = [
  [2, step(gateway.create, { amount: tiny, mobile: small, merchant: fc.nat({ max: 1 }) })],
  [6, step(gateway.push, { bill: tiny, mobile: fc.nat({ max: 4 }), part: tiny, form: mostlyZero(2) })],
  [24, step(gateway.work, script)],
  [4, step(gateway.workOn, {})],
  [2, step(gateway.hold, {})],
  [2, step(gateway.goOn, { index: tiny, ...script })],
  [2, step(gateway.comeBack, { index: tiny })],
  [5, step(gateway.jump, { far: small })],
  [3, step(gateway.release, { attempt: tiny })],
  [1, step(gateway.ask, { attempt: tiny })],
  [2, step(closing.close, { bill: tiny })],
  [2, step(closing.reopen, { bill: tiny })],
  [1, step(operator.settleByWord, { attempt: tiny })],
  [3, step(operator.allocate, { payment: tiny, bill: tiny, part: tiny })],
  [1, step(operator.mark, { payment: tiny })],
  [1, step(operator.settleReversalByWord, { request: tiny })],
  [7, step(operator.sendBack, { payment: tiny, part: tiny })],
  [8, step(gateway.workReversals, script)],
  [1, step(gateway.holdReversal, {})],
  [11, step(provider.answer, { prompt: tiny, how: fc.nat({ max: 5 }), late: mostlyZero(1) })],
  [6, step(provider.deliver, { notice: small })],
  [1, step(provider.payUnasked, { variant: fc.nat({ max: 1 }), amount: tiny, late: mostlyZero(1) })],
  [3, step(provider.takeBack, { payment: tiny, part: tiny, late: mostlyZero(1) })],
  [2, step(provider.finishReversal, { index: tiny })],
  [2, step(provider.contradict, { prompt: tiny, how: fc.nat({ max: 1 }) })],
  [1, step(provider.forge, { prompt: tiny, how: fc.nat({ max: 2 }) })],
  [2, step(provider.readStatement, { variant: fc.nat({ max: 1 }), lines: small })],
];

const anyStep = fc.oneof(...STEPS.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Several things at the same instant, on connections of their own. */
const together = fc.array(anyStep, { minLength: 2, maxLength: 4 }).map(
  (steps): Step => ({
    run: async (world) => {
      await Promise.all(steps.map((one) => one.run(world)));
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
      await one.run(world);
      world.books = await readBooks(world.runtime.db);
      const wrongs = findWrongs(world, before);
      if (wrongs.length > 0) throw new Error(`after ${one}: ${wrongs.join('; ')}`);
    },
    toString: () => one.toString(),
  };
}

/** @param replayPath as fast-check printed it, to run one failure again. */
export function sequences(replayPath: string | undefined): fc.Arbitrary<Iterable<Command>> {
  const commands = [...STEPS.map(([weight, arbitrary]) => ({ weight, arbitrary })), { weight: 6, arbitrary: together }];
  return fc.commands([fc.oneof(...commands).map(toCommand)], { maxCommands: 40, size: 'max', ...(replayPath && { replayPath }) });
}

/** A world with a bill of each provider, both with a prompt due: what is interesting begins there. */
export async function openWorld(stage: Stage): Promise<World> {
  const world = await createWorld(stage);
  for (const index of [0, 1]) {
    await gateway.create(world, { amount: 0, mobile: index, merchant: index });
    world.books = await readBooks(world.runtime.db);
  }
  return world;
}
