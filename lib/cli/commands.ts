import { type Command, Option } from 'commander';
import { resetPassword } from '@/lib/accounts/reset-password';
import { ENVIRONMENTS, type Environment, type Runtime } from '@/lib/config/runtime';
import { migrate } from '@/lib/db/migrate';
import { createKey } from '@/lib/keys/create-key';
import { revokeKey } from '@/lib/keys/revoke-key';
import { findKey, listKeyRows } from '@/lib/keys/store';
import { changeProfile } from '@/lib/merchants/change-profile';
import { createMerchant } from '@/lib/merchants/create-merchant';
import { findMerchant, listMerchants, type Merchant } from '@/lib/merchants/store';
import { setEndpoint } from '@/lib/webhooks/set-endpoint';
import { startSettings, withDatabase, withRuntime } from './connect';
import { type JsonFlag, jsonOption } from './options';
import { print, progress, UserError } from './output';
import { addProviderCommands } from './provider-commands';
import { addReconcileCommands } from './reconcile-commands';

const ACTOR = 'operator:cli';

const environmentOption = () =>
  new Option('--environment <environment>', 'live or sandbox').choices([...ENVIRONMENTS]).makeOptionMandatory();
const merchantOption = () => new Option('--merchant <merchant>', "the merchant's slug or id").makeOptionMandatory();
interface ScopeOptions extends JsonFlag {
  readonly merchant: string;
  readonly environment: Environment;
}

/** Every command of `bili` that does one thing and ends. */
export function addCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      const applied = await withDatabase(startSettings(), ({ DATABASE_URL }) => migrate(DATABASE_URL));
      print(json, { applied }, applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['The database is up to date.']);
    });
  addMerchantCommands(program.command('merchant').description('create and list merchants'));
  addKeyCommands(program.command('key').description('create, list and revoke API keys'));
  addWebhookCommands(program.command('webhook').description("set a merchant's webhook address"));
  addProviderCommands(program.command('provider').description('accounts at mobile-money providers'));
  addReconcileCommands(program);
  addUserCommands(program.command('user').description('people who sign in'));
}

function addMerchantCommands(merchants: Command): void {
  merchants
    .command('create')
    .description('create a merchant and its owner')
    .requiredOption('--name <name>', 'as customers know it')
    .requiredOption('--email <email>', "the owner's e-mail address, to sign in with")
    .option('--sandbox-only', 'leave the live environment to be activated later', false)
    .addOption(jsonOption())
    .action(async ({ name, email, sandboxOnly, json }: JsonFlag & { name: string; email: string; sandboxOnly: boolean }) => {
      const created = await withRuntime((runtime) => createMerchant(runtime, { name, email, live: sandboxOnly ? 'pending' : 'active' }));
      if (!created.ok) throw new UserError(`The merchant was not created: ${created.error}.`);
      const { merchant, password } = created.value;
      print(json, { ...merchant, email, password }, [
        `Created ${merchant.name} (${merchant.slug}).`,
        password === null
          ? `${email} had an account already and is its owner now.`
          : `Sign in as ${email} with password ${password} (shown this once).`,
      ]);
    });
  merchants
    .command('list')
    .description('list all merchants')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      const found = await withRuntime((runtime) => listMerchants(runtime.db));
      print(
        json,
        found,
        found.length > 0 ? found.map(describeMerchant) : ['There are no merchants yet: bili merchant create --name … --email …'],
      );
    });
  for (const [verb, status] of [
    ['activate', 'active'],
    ['suspend', 'suspended'],
    ['close', 'closed'],
  ] as const) {
    merchants
      .command(verb)
      .description(`make a merchant ${status} in one environment`)
      .addOption(merchantOption())
      .addOption(environmentOption())
      .addOption(jsonOption())
      .action(async ({ merchant: given, environment, json }: ScopeOptions) => {
        const merchant = await withRuntime(async (runtime) => {
          const found = await needMerchant(runtime, given);
          await changeProfile(runtime, { scope: { merchantId: found.id, environment }, change: { status }, actor: ACTOR });
          return found;
        });
        print(json, { merchant: merchant.slug, environment, status }, [`${merchant.name} is ${status} in ${environment}.`]);
      });
  }
  merchants
    .command('unique-references')
    .description('refuse or accept a reference that a bill has already')
    .addOption(merchantOption())
    .addOption(environmentOption())
    .addOption(new Option('--set <value>', 'on or off').choices(['on', 'off']).makeOptionMandatory())
    .addOption(jsonOption())
    .action(async ({ merchant: given, environment, set, json }: ScopeOptions & { set: 'on' | 'off' }) => {
      const merchant = await withRuntime(async (runtime) => {
        const found = await needMerchant(runtime, given);
        await changeProfile(runtime, {
          scope: { merchantId: found.id, environment },
          change: { uniqueReferences: set === 'on' },
          actor: ACTOR,
        });
        return found;
      });
      print(json, { merchant: merchant.slug, environment, uniqueReferences: set === 'on' }, [
        `Unique references are ${set} for ${merchant.name} in ${environment}.`,
      ]);
    });
}

function addKeyCommands(keys: Command): void {
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

function addWebhookCommands(webhooks: Command): void {
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

function addUserCommands(users: Command): void {
  users
    .command('reset-password')
    .description('give a person a new password, shown this once; ends their sessions')
    .requiredOption('--email <email>', 'whose')
    .addOption(jsonOption())
    .action(async ({ email, json }: JsonFlag & { email: string }) => {
      const password = await withRuntime((runtime) => resetPassword(runtime, { email, actor: ACTOR }));
      if (password === null) throw new UserError(`Nobody signs in as ${email}.`);
      progress('Every session of this person has ended.');
      print(json, { email, password }, [`New password of ${email}: ${password}`]);
    });
}

async function needMerchant(runtime: Runtime, merchant: string): Promise<Merchant> {
  const found = await findMerchant(runtime.db, merchant);
  if (!found) throw new UserError(`There is no merchant "${merchant}"; "bili merchant list" shows all.`);
  return found;
}

function describeMerchant({ slug, name, id, profiles }: Merchant): string {
  return `${slug}  ${name}  ${id}  ${profiles.map(({ environment, status }) => `${environment}: ${status}`).join(', ')}`;
}
