import { expect, test } from 'vitest';
import { ENGLISH as en } from '@/lib/platform/i18n/messages';
import { CHECK_STEPS, type CheckStep, judgeCheck, STEP_CODES, type StepCall, shouldContinue } from './check-rules';
import { describeStep } from './describe-check';

const call = (step: CheckStep, status: number | null, durationMs = 10): StepCall => ({ step, status, durationMs, failure: null });
const right: readonly StepCall[] = [
  call('good', 200),
  call('duplicate', 204),
  call('bad_signature', 401),
  call('unsigned', 400),
  call('stale', 400),
  call('out_of_order', 200),
  call('out_of_order', 200),
  call('slow', 200, 60_000),
];
const codes = (calls: readonly StepCall[]) => judgeCheck(calls).map(({ outcome, code }) => `${outcome} ${code}`);
const instead = (...changed: readonly StepCall[]) => [...right.filter(({ step }) => changed.every((one) => one.step !== step)), ...changed];
const judged = (...changed: readonly StepCall[]) => judgeCheck(instead(...changed)).find(({ step }) => step === changed[0]?.step);

test('a correct receiver passes every step', () => {
  expect(judgeCheck(right).map(({ step, outcome }) => [step, outcome])).toEqual(CHECK_STEPS.map((step) => [step, 'passed']));
});

test.each<[StepCall[], string, string]>([
  [[call('good', 200, 5_001)], 'warning', 'slow_answer'],
  [[call('good', 302)], 'failed', 'redirected'],
  [[call('good', 401)], 'failed', 'refused'],
  [[call('good', null)], 'failed', 'no_answer'],
  [[call('duplicate', 409)], 'failed', 'duplicate_refused'],
  [[call('duplicate', 200, 14_000)], 'warning', 'slow_answer'],
  [[call('bad_signature', 200)], 'failed', 'forged_accepted'],
  [[call('bad_signature', 500)], 'warning', 'refused_by_error'],
  [[call('bad_signature', null)], 'warning', 'refused_without_answer'],
  [[call('bad_signature', 302)], 'passed', 'refused_rightly'],
  [[call('unsigned', 202)], 'failed', 'unsigned_accepted'],
  [[call('stale', 200)], 'warning', 'stale_accepted'],
  [[call('out_of_order', 422), call('out_of_order', 200)], 'failed', 'newer_refused'],
  [[call('out_of_order', 200), call('out_of_order', 422)], 'failed', 'older_refused'],
  [[call('out_of_order', 200, 6_000), call('out_of_order', 422)], 'failed', 'older_refused'],
  [[call('out_of_order', 200, 6_000), call('out_of_order', 200)], 'warning', 'slow_answer'],
  [[call('slow', 400)], 'failed', 'slow_refused'],
])('judges %j as %s, %s', (calls, outcome, code) => {
  expect(judged(...calls)).toMatchObject({ outcome, code });
});

test('refusing the correct webhook makes other refusals prove nothing, but accepted faulty webhooks are still reported', () => {
  expect(codes(instead(call('good', 500), call('duplicate', 500), call('stale', 200)))).toEqual([
    'failed refused',
    'warning proves_nothing',
    'warning proves_nothing',
    'warning proves_nothing',
    'warning stale_accepted',
    'passed accepted',
    'passed accepted',
  ]);
});

test('the check stops if the correct webhook gets no answer', () => {
  expect(shouldContinue(call('good', null))).toBe(false);
  expect(shouldContinue(call('good', 500))).toBe(true);
  expect(shouldContinue(call('stale', null))).toBe(true);
  expect(codes([call('good', null)])).toEqual(['failed no_answer', ...CHECK_STEPS.slice(1).map(() => 'skipped not_tried')]);
});

test('every result has a text in both languages', () => {
  expect(Object.keys(en.ReceiverCheck)).toEqual(expect.arrayContaining([...STEP_CODES]));
  const failure = { errorClass: 'refused', errorData: {} } as const;
  const [good] = judgeCheck([{ ...call('good', null), failure }]);
  if (!good) throw new Error('the step "good" has no result');
  expect(describeStep('en', good)).toEqual({
    tried: 'A correct webhook',
    text: 'Your server did not respond. We could not connect to your server: it refused the connection or was not reachable. Check that it is running and that no firewall blocks us.',
  });
  expect(describeStep('sw', good).text).toContain('Seva yako haikujibu. ');
});
