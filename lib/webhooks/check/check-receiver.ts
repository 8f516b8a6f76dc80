import { setTimeout as pauseFor } from 'node:timers/promises';
import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { countAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { type Endpoint, lockEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { judgeCheck, type StepJudgement, shouldContinue } from './check-rules';
import { type MadeCall, makeCalls } from './check-steps';
import { CHECK_ENDED, CHECK_STARTED, callLine, isCheckRunning } from './check-store';

/** A check that has not ended after this time was interrupted: it makes eight calls of at most 15 s, which take at most two minutes. */
const CHECK_MAX_MS = 3 * MINUTE_MS;

interface Options {
  /** Waits between the pieces of the body that is sent slowly. Tests replace this function. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Called after each call with the results so far. Steps that have not run yet are `skipped`. */
  readonly onProgress?: (steps: readonly StepJudgement[]) => void;
}

/** Limits the checks of a merchant. Each makes up to eight calls. */
const CHECKS = [{ attempts: 20, seconds: 3_600 }];

export type CheckRefusal = 'only_in_sandbox' | 'no_address' | 'check_running' | 'too_many_tests';

export interface CheckReport {
  readonly url: string;
  readonly steps: readonly StepJudgement[];
  /** The sandbox bills that were created for the check. They stay NOT_PAID, whatever status the webhooks reported. */
  readonly billIds: readonly string[];
}

/**
 * Checks a merchant's receiver: sends correct and faulty webhooks one after another and judges the answers. Works only in the sandbox, also
 * while the endpoint is paused or disabled. Only one check of an endpoint runs at a time. A check takes at most two minutes. If the first
 * webhook, which is correct, gets no answer, the other steps are skipped.
 */
export async function checkReceiver(
  runtime: NotifyRuntime,
  access: Access,
  { pause = pauseFor, onProgress }: Options = {},
): Promise<Result<CheckReport, AccessRefusal | CheckRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  if (scope.environment !== 'sandbox') return fail('only_in_sandbox');
  const counters = access.role === null ? [] : [{ key: `webhook-check/${scope.merchantId}`, windows: CHECKS }];
  if ((await countAttempt(runtime, counters)) !== null) return fail('too_many_tests');
  const begun = await startCheck(runtime, access);
  if (!begun.ok) return begun;
  const { name, url, endpoint } = begun.value;
  const made: MadeCall[] = [];
  try {
    for await (const call of makeCalls({ runtime, endpoint, url, actor, pause })) {
      made.push(call);
      onProgress?.(judgeCheck(made));
      if (!shouldContinue(call)) break;
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

interface StartedCheck {
  readonly name: string;
  readonly url: string;
  readonly endpoint: Endpoint;
}

/** Records the start of a check in the audit log. The lock on the endpoint lets only one of several concurrent checks start. */
async function startCheck(runtime: NotifyRuntime, { scope, actor }: Access): Promise<Result<StartedCheck, CheckRefusal>> {
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
