import type { Command } from 'commander';
import { setEndpoint } from '@/lib/webhooks/set-endpoint';
import { withRuntime } from './connect';
import { ACTOR, environmentOption, jsonOption, merchantOption, needMerchant, type ScopeOptions } from './options';
import { print, UserError } from './output';

/** `bili webhook …`: where merchants are told. */
export function addWebhookCommands(webhooks: Command): void {
  webhooks
    .command('set')
    .description('set where webhooks go; answers the signing secret')
    .addOption(merchantOption())
    .addOption(environmentOption())
    .requiredOption('--url <url>', 'the address that receives them')
    .addOption(jsonOption())
    .action(async ({ merchant, environment, url, json }: ScopeOptions & { url: string }) => {
      const set = await withRuntime(async (runtime) => {
        const { id } = await needMerchant(runtime, merchant);
        return setEndpoint(runtime, { scope: { merchantId: id, environment }, url, actor: ACTOR });
      });
      if (!set.ok) throw new UserError(`The address was not set: ${set.error}.`);
      print(json, { url: set.value.url, secret: set.value.secret, environment }, [
        `Webhooks go to ${set.value.url}`,
        `Signing secret: ${set.value.secret}`,
      ]);
    });
}
