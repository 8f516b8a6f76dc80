import { SECOND_MS } from '@/lib/platform/core/clock';
import { FATES } from '../fakes/fake-adapter';
import { TILLS, variantOf } from '../fakes/fake-record';
import { renewAccount } from './account-steps';
import { readBooks } from './books';
import { deliverNotice } from './callback-steps';
import { type Claimed, claim, comeBack, pick, waitForOne } from './gateway-steps';
import { HONEST, type Script, type World } from './world';

const LEASE_PASSES_MS = 40 * SECOND_MS;
/** Where the first worker stops during its call. An index after the end of this list means that it stops before the call. */
const STOPS = ['hangs_before', 'hangs_after', 'hangs_unsent'] as const;

export interface Overtaking {
  /** Index into `STOPS`. */
  readonly stop: number;
  /** 0: the accounts stay. Otherwise a new account replaces the account of each till after the lease has expired. */
  readonly renewed: number;
  /** What happens in the first worker's call. A worker that stops before its call makes the call when it continues. */
  readonly first: Script;
  /** One script for each worker that makes its call before the first worker continues. These workers run one after the other. */
  readonly before: readonly Script[];
  /** One script for each worker that makes its call after the first worker has continued. These workers run one after the other. */
  readonly after: readonly Script[];
}

/** A worker stops during an attempt, its lease expires, other workers continue with the attempt, and then the first one continues too. */
export async function overtake(world: World, { stop, renewed, first, before, after }: Overtaking): Promise<void> {
  waitForOne(world, world.books.attempts);
  const [claimed] = await claim(world, 1);
  if (!claimed) return;
  const goOn = await begin(world, claimed, STOPS[stop], first);
  world.advance(LEASE_PASSES_MS);
  if (renewed !== 0) for (const till of TILLS.keys()) await renewAccount(world, { till, later: 0 });
  for (const script of before) await workOne(world, claimed.id, script);
  await goOn();
  for (const script of after) await workOne(world, claimed.id, script);
}

/** Lets the worker work until it stops. Returns a function that lets it continue. */
async function begin(
  world: World,
  claimed: Claimed,
  stop: (typeof STOPS)[number] | undefined,
  script: Script,
): Promise<() => Promise<void>> {
  if (stop === undefined) return () => claimed.work(script);
  const hanging = new Set(world.hanging);
  await claimed.work({ ...script, fate: FATES.indexOf(stop) });
  const call = world.hanging.find((one) => !hanging.has(one));
  return async () => {
    const index = call ? world.hanging.indexOf(call) : -1;
    if (index >= 0) await comeBack(world, { index });
  };
}

/**
 * Another worker claims the attempt as soon as it is due, and its call follows the script. Other due attempts are worked on without faults.
 */
async function workOne(world: World, attemptId: string, script: Script): Promise<void> {
  const { attempts } = await readBooks(world.runtime.db);
  waitForOne(
    world,
    attempts.filter(({ id }) => id === attemptId),
  );
  for (const attempt of await claim(world, 50, script)) await attempt.work(attempt.id === attemptId ? script : HONEST);
}

/**
 * A prompt is declined or expires, and a worker's call gets this answer. Before the worker reads the answer, the prompt is paid after all,
 * and a callback reports that the prompt was declined or has expired. @param how 0 declined, 1 expired.
 */
export async function payInCall(world: World, { prompt: index, how }: { prompt: number; how: number }): Promise<void> {
  const { provider } = world;
  const asking = [...provider.prompts.values()].filter(({ status, till }) => status === 'asking' && variantOf(till) === 'unsigned');
  const prompt = pick(asking, index);
  if (!prompt) return;
  const made = provider.notices.length;
  if (how === 0) provider.decline(prompt, 'user_cancelled');
  else provider.expire(prompt);
  const { attempts } = await readBooks(world.runtime.db);
  const own = attempts.filter(({ our_reference }) => our_reference === prompt.reference);
  waitForOne(world, own);
  const hanging = new Set(world.hanging);
  for (const attempt of await claim(world, 50))
    await attempt.work(own.some(({ id }) => id === attempt.id) ? { fate: FATES.indexOf('hangs_after'), word: 0 } : HONEST);
  const calls = world.hanging.filter((one) => !hanging.has(one));
  provider.pay(prompt.till, prompt.reference, prompt.amount);
  const [ending] = provider.notices.slice(made);
  if (ending) await deliverNotice(world, ending);
  for (const call of calls) await comeBack(world, { index: world.hanging.indexOf(call) });
}
