import type { CheckLine } from '@/components/dashboard/webhooks/endpoint/receiver-check';
import { checkReceiver } from '@/lib/backoffice/receiver-check/check-receiver';
import type { StepJudgement } from '@/lib/backoffice/receiver-check/check-rules';
import { describeStep, describeTestRefusal } from '@/lib/backoffice/receiver-check/describe-check';
import { dataRoute, sentDataRoute } from '@/lib/entry/server/visit';

/** A GET request does not start a check. */
export const GET = dataRoute(() => new Response(null, { status: 405, headers: { allow: 'POST' } }));

/**
 * Checks the merchant's receiver and streams one line of JSON after each step. If the client disconnects, the check continues and its
 * result is stored.
 */
export const POST = sentDataRoute(async ({ runtime, access, locale }) => {
  const describeSteps = (steps: readonly StepJudgement[]) =>
    steps.map((one) => ({ step: one.step, outcome: one.outcome, ...describeStep(locale, one) }));
  let listening = true;

  const lines = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (line: CheckLine) => {
        if (listening) controller.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
      };
      try {
        const onProgress = (steps: readonly StepJudgement[]) => write({ kind: 'steps', steps: describeSteps(steps) });
        const checked = await checkReceiver(runtime, access, { onProgress });
        if (checked.ok) write({ kind: 'over', steps: describeSteps(checked.value.steps) });
        else write({ kind: 'refused', text: describeTestRefusal(locale, checked.error) });
      } catch (error) {
        runtime.log.error({ err: error, merchantId: access.scope.merchantId }, 'a receiver check failed');
      }
      if (listening) controller.close();
    },
    cancel() {
      listening = false;
    },
  });
  // `no-transform` prevents compression, which would delay the lines.
  return new Response(lines, { headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store, no-transform' } });
});
