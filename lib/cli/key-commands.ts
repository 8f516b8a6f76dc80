import type { Command } from 'commander';
import { createKey } from '@/lib/keys/create-key';
import { revokeKey } from '@/lib/keys/revoke-key';
import { findKey, listKeyRows } from '@/lib/keys/store';
import { withRuntime } from './connect';
import { ACTOR, environmentOption, type JsonFlag, jsonOption, merchantOption, needMerchant, type ScopeOptions } from './options';
import { print, UserError } from './output';

/** `bili key …`: API keys. */
export function addKeyCommands(keys: Command): void {
  keys
    .command('create')
    .description('create an API key; its secret is shown this once')
    .addOption(merchantOption())
    .addOption(environmentOption())
    .option('--label <label>', 'what it is for', 'CLI')
    .addOption(jsonOption())
    .action(async ({ merchant, environment, label, json }: ScopeOptions & { label: string }) => {
      const pair = await withRuntime(async (runtime) => {
        const { id } = await needMerchant(runtime, merchant);
        return createKey(runtime, { scope: { merchantId: id, environment }, label, actor: ACTOR, address: null });
      });
      print(json, { apiKey: pair.id, apiSecret: pair.secret, environment }, [
        `API key:    ${pair.id}`,
        `API secret: ${pair.secret}  (shown this once)`,
        `Header:     Authorization: ApiKey ${pair.id}:${pair.secret}`,
      ]);
    });
  keys
    .command('list')
    .description("list a merchant's API keys")
    .addOption(merchantOption())
    .addOption(environmentOption())
    .addOption(jsonOption())
    .action(async ({ merchant, environment, json }: ScopeOptions) => {
      const rows = await withRuntime(async (runtime) => {
        const { id } = await needMerchant(runtime, merchant);
        return listKeyRows(runtime.db, { merchantId: id, environment });
      });
      print(
        json,
        rows,
        rows.length > 0 ? rows.map((row) => `${row.id}  ${row.label}  ${row.revokedAt ? 'revoked' : 'active'}`) : ['There are no keys.'],
      );
    });
  keys
    .command('revoke')
    .description('revoke an API key at once')
    .argument('<key>', 'the API key, without its secret')
    .addOption(jsonOption())
    .action(async (id: string, { json }: JsonFlag) => {
      const revoked = await withRuntime(async (runtime) => {
        const key = await findKey(runtime.db, id);
        if (!key) return false;
        const scope = { merchantId: key.merchantId, environment: key.environment };
        return revokeKey(runtime, { scope, id, actor: ACTOR, address: null });
      });
      if (!revoked) throw new UserError(`There is no active key ${id}.`);
      print(json, { apiKey: id, revoked: true }, [`${id} is revoked.`]);
    });
}
