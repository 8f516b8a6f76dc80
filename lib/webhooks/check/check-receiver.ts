import { setTimeout as pauseFor } from 'node:timers/promises';
import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Endpoint, lockEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { judgeCheck, type StepJudgement, worthGoingOn } from './check-rules';
import { type MadeCall, makeCalls } from './check-steps';
import { CHECK_ENDED, CHECK_STARTED, callLine, isCheckRunning } from './check-store';

/** Longer than a check can take, eight calls of 15 s: one that has not ended by then was broken off. */
const CHECK_MAX_MS = 3 * MINUTE_MS;

interface Options {
  /** Waits between the pieces of the slow body. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Hears what can be said so far, after each call: steps that were not tried yet are `skipped`. */
  readonly onProgress?: (steps: readonly StepJudgement[]) => void;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets' | 'settings'>;

export type CheckRefusal = 'only_in_sandbox' | 'no_address' | 'check_running';

export interface CheckReport {
  readonly url: string;
  readonly steps: readonly StepJudgement[];
  /** The sandbox bills that were made for it; they stay NOT_PAID, whatever the webhooks said. */
  readonly billIds: readonly string[];
}

/**
 * Tries a merchant's receiver with good and bad webhooks, one after another, and judges what it answers. Sandbox only, at most one
 * at a time, also while the endpoint is paused or disabled; takes two minutes at most. When the good webhook gets no answer at all,
 * the others are not tried.
 */
export async function checkReceiver(
  runtime: Needs,
  access: Access,
  { pause = pauseFor, onProgress }: Options = {},
): Promise<Result<CheckReport, AccessRefusal | CheckRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  if (scope.environment !== 'sandbox') return fail('only_in_sandbox');
  const begun = await beginCheck(runtime, access);
  if (!begun.ok) return begun;
  const { name, url, endpoint } = begun.value;
  const made: MadeCall[] = [];
  try {
    for await (const call of makeCalls({ runtime, endpoint, url, actor, pause })) {
      made.push(call);
      onProgress?.(judgeCheck(made));
      if (!worthGoingOn(call)) break;
    }
    return ok({ url, steps: judgeCheck(made), billIds: [...new Set(made.map(({ billId }) => billId))] });
  } finally {
    const judged = judgeCheck(made);
    const outcomeOf = (step: MadeCall['step']) => judged.find((one) => one.step === step)?.outcome ?? 'skipped';
    const calls = made.map((one) => callLine({ ...one, outcome: outcomeOf(one.step) }));
    const data = { check: name, outcomes: judged.map(({ step, code }) => `${step}: ${code}`), calls };
    await recordEntry(runtime, { ...scope, actor, action: CHECK_ENDED, subject: endpoint.id, data });
  }
}

interface Begun {
  readonly name: string;
  readonly url: string;
  readonly endpoint: Endpoint;
}

/** Marks a check as begun, in the audit log; the endpoint's row is locked, so only one of several that come at once does. */
async function beginCheck(runtime: Needs, { scope, actor }: Access): Promise<Result<Begun, CheckRefusal>> {
  return runtime.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope);
    const { url } = endpoint;
    if (url === null) return fail('no_address');
    const since = addMs(runtime.clock(), -CHECK_MAX_MS);
    const sinceId = newId({ clock: () => since, random: (bytes) => new Uint8Array(bytes) });
    if (await isCheckRunning(tx, scope, sinceId)) return fail('check_running');
    const name = newId(runtime);
    await recordEntry(runtime, { ...scope, actor, action: CHECK_STARTED, subject: endpoint.id, data: { check: name } }, tx);
    return ok({ name, url, endpoint });
  });
}
