import type { Command } from 'commander';
import { describeFinding } from '@/lib/webhooks/explain/describe-finding';
import { explainSignature } from '@/lib/webhooks/explain-signature';
import { withRuntime } from './connect';
import { environmentOption, jsonOption, merchantOption, needMerchant, type ScopeOptions } from './options';
import { print } from './output';
import { readInput, readSecretInput } from './read-input';

interface ExplainOptions extends ScopeOptions {
  readonly body: string;
  readonly headers: string;
  readonly secretFile: string;
  readonly computed?: string;
}

/** `bili webhook …`: what helps a merchant's developer. */
export function addWebhookTestCommands(webhooks: Command): void {
  webhooks
    .command('explain')
    .description('say why a signature is refused: which of body, headers and secret differs')
    .addOption(merchantOption())
    .addOption(environmentOption())
    .requiredOption('--body <file>', "the raw body that the merchant's code has")
    .requiredOption('--headers <file>', 'the headers, as text or JSON')
    .requiredOption('--secret-file <file>', 'the secret that the code uses; "-" asks for it, or reads standard input')
    .option('--computed <signature>', 'what the code computed')
    .addOption(jsonOption())
    .action(async ({ merchant, environment, body, headers, secretFile, computed, json }: ExplainOptions) => {
      const pasted = {
        body: await readInput(body),
        headers: (await readInput(headers)).toString(),
        secret: await readSecretInput(secretFile, 'Secret: '),
        computed,
      };
      const findings = await withRuntime(async (runtime) => {
        const { id } = await needMerchant(runtime, merchant);
        return explainSignature(runtime, { scope: { merchantId: id, environment }, ...pasted });
      });
      const told = findings.map((finding) => ({ ...finding, text: describeFinding('en', finding) }));
      print(
        json,
        { verdict: told[0]?.code ?? null, findings: told },
        told.map(({ text }, index) => (index === 0 ? text : `- ${text}`)),
      );
    });
}
