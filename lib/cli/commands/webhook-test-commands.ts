import { type Command, Option } from 'commander';
import { describeFailure } from '@/lib/backoffice/delivery-log/describe-failure';
import { type CheckReport, checkReceiver } from '@/lib/backoffice/receiver-check/check-receiver';
import { describeStep, describeTestRefusal } from '@/lib/backoffice/receiver-check/describe-check';
import { sendTestEvent } from '@/lib/backoffice/receiver-check/send-test-event';
import { describeFinding } from '@/lib/backoffice/signature-explainer/explain-rules';
import { explainSignature } from '@/lib/backoffice/signature-explainer/explain-signature';

import { withRuntime } from '@/lib/cli/deployment/connect';
import { readInput, readSecretInput } from '@/lib/cli/terminal/files';
import { needAccess } from '@/lib/cli/terminal/operator';
import { merchantOption, type ScopeOptions, scopeCommand } from '@/lib/cli/terminal/options';
import { print, progress, UserError } from '@/lib/cli/terminal/output';
import type { BillStatus } from '@/lib/gateway/bills/rules';
import type { CallReport } from '@/lib/gateway/webhooks/deliver/call-endpoint';
import { translator } from '@/lib/platform/i18n/translator';

interface ExplainOptions extends ScopeOptions {
  readonly body: string;
  readonly headers: string;
  readonly secretFile: string;
  readonly computed?: string;
}

export function addWebhookTestCommands(webhooks: Command): void {
  scopeCommand(webhooks, 'explain', 'explain why a signature does not match: body, headers or secret')
    .requiredOption('--body <file>', "the raw body that the merchant's code has")
    .requiredOption('--headers <file>', 'the headers, as text or JSON')
    .requiredOption('--secret-file <file>', 'a file with the secret that the code uses; "-" reads it from the terminal or standard input')
    .option('--computed <signature>', 'the signature that the code computed')
    .action(async ({ merchant, environment, body, headers, secretFile, computed, json }: ExplainOptions) => {
      const pasted = {
        body: await readInput(body),
        headers: (await readInput(headers)).toString(),
        secret: await readSecretInput(secretFile, 'Secret: '),
        computed,
      };
      const findings = await withRuntime(async (runtime) => {
        return explainSignature(runtime, await needAccess(runtime, { merchant, environment }), pasted);
      });
      if (!findings.ok) throw new UserError(translator('en', 'Hooks')(findings.error));
      const described = findings.value.map((finding) => ({ ...finding, text: describeFinding('en', finding) }));
      print(
        json,
        { verdict: described[0]?.code ?? null, findings: described },
        described.map(({ text }, index) => (index === 0 ? text : `- ${text}`)),
      );
    });
  scopeCommand(webhooks, 'test', 'send one test webhook now, even if the endpoint is paused; exits with 1 if it is not accepted')
    .addOption(
      new Option('--status <status>', 'the bill status in the body; in live always NOT_PAID').choices([
        'NOT_PAID',
        'PARTIALLY_PAID',
        'FULLY_PAID',
      ]),
    )
    .action(async ({ merchant, environment, status, json }: ScopeOptions & { status?: BillStatus }) => {
      const sent = await withRuntime(async (runtime) => {
        return sendTestEvent(runtime, await needAccess(runtime, { merchant, environment }), { status });
      });
      if (!sent.ok) throw new UserError(describeTestRefusal('en', sent.error));
      const { reference, billStatus, url } = sent.value;
      const text = outcome(sent.value);
      print(json, { ...sent.value, text }, [`Sent ${reference} (${billStatus}) to ${url}`, text]);
      if (sent.value.failure) throw new UserError('The test was not accepted.');
    });
  webhooks
    .command('check')
    .description("test a merchant's receiver in the sandbox with good and bad webhooks; exits with 1 if it fails a test")
    .addOption(merchantOption())
    .action(async ({ merchant, json }: Pick<ScopeOptions, 'merchant' | 'json'>) => {
      const checked = await withRuntime(async (runtime) => {
        const access = await needAccess(runtime, { merchant, environment: 'sandbox' });
        progress('This takes a few seconds, at most two minutes.');
        return checkReceiver(runtime, access);
      });
      if (!checked.ok) throw new UserError(describeTestRefusal('en', checked.error));
      printCheck(json, checked.value);
      const failed = checked.value.steps.filter((step) => step.outcome === 'failed').length;
      if (failed > 0) throw new UserError(`The receiver failed ${failed} of ${checked.value.steps.length} steps.`);
    });
}

function outcome({ status, failure, trace, excerpt }: CallReport): string {
  if (failure) return describeFailure('en', failure.errorClass, failure.errorData);
  return `Your server accepted the test webhook with ${status} after ${trace.totalMs} ms${excerpt === '' ? '.' : `: ${excerpt.split('\n')[0]}`}`;
}

const MARKS = { passed: 'passed ', warning: 'WARNING', failed: 'FAILED ', skipped: 'skipped' } as const;

function printCheck(json: boolean, { url, steps, billIds }: CheckReport): void {
  const described = steps.map((step) => ({ ...step, ...describeStep('en', step) }));
  const lines = described.flatMap(({ outcome: mark, tried, text }) => [`${MARKS[mark]}  ${tried}`, `         ${text}`]);
  print(json, { url, billIds, steps: described }, [`Results for ${url}:`, ...lines]);
}
