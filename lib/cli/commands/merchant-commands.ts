import { type Command, Option } from 'commander';
import { operatorAccess } from '@/lib/accounts/access/grant-access';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { operatorResult } from '@/lib/cli/terminal/operator-access';
import { environmentOption, type JsonFlag, jsonOption, merchantOption, needMerchant, type ScopeOptions } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';
import { changeProfile } from '@/lib/merchants/manage/change-profile';
import { createMerchant } from '@/lib/merchants/manage/create-merchant';
import { listMerchants, type Merchant } from '@/lib/merchants/store';

/** Adds `bili merchant …`, which manages merchants. */
export function addMerchantCommands(merchants: Command): void {
  merchants
    .command('create')
    .description('create a merchant and its owner')
    .requiredOption('--name <name>', 'the name that customers know')
    .requiredOption('--email <email>', "the owner's e-mail address for signing in")
    .option('--sandbox-only', 'do not activate the live environment yet', false)
    .addOption(jsonOption())
    .action(async ({ name, email, sandboxOnly, json }: JsonFlag & { name: string; email: string; sandboxOnly: boolean }) => {
      const created = await withRuntime((runtime) =>
        createMerchant(runtime, { name, email, live: sandboxOnly ? 'pending' : 'active', actor: runtime.actor }),
      );
      if (!created.ok) throw new UserError(`The merchant was not created: ${created.error}.`);
      const { merchant, password } = created.value;
      print(json, { ...merchant, email, password }, [
        `Created ${merchant.name} (${merchant.slug}).`,
        password === null
          ? `${email} already has an account and is now the owner.`
          : `Sign in as ${email} with the password ${password} (shown only once).`,
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
      .description(`${verb} a merchant in one environment`)
      .addOption(merchantOption())
      .addOption(environmentOption())
      .addOption(jsonOption())
      .action(async ({ merchant: given, environment, json }: ScopeOptions) => {
        const merchant = await withRuntime(async (runtime) => {
          const found = await needMerchant(runtime, given);
          operatorResult(await changeProfile(runtime, operatorAccess(runtime.actor, { merchantId: found.id, environment }), { status }));
          return found;
        });
        print(json, { merchant: merchant.slug, environment, status }, [`${merchant.name} is ${status} in ${environment}.`]);
      });
  }
  merchants
    .command('unique-references')
    .description('refuse or accept a reference that another bill already has')
    .addOption(merchantOption())
    .addOption(environmentOption())
    .addOption(new Option('--set <value>', 'on or off').choices(['on', 'off']).makeOptionMandatory())
    .addOption(jsonOption())
    .action(async ({ merchant: given, environment, set, json }: ScopeOptions & { set: 'on' | 'off' }) => {
      const merchant = await withRuntime(async (runtime) => {
        const found = await needMerchant(runtime, given);
        const access = operatorAccess(runtime.actor, { merchantId: found.id, environment });
        operatorResult(await changeProfile(runtime, access, { uniqueReferences: set === 'on' }));
        return found;
      });
      print(json, { merchant: merchant.slug, environment, uniqueReferences: set === 'on' }, [
        `Unique references are ${set} for ${merchant.name} in ${environment}.`,
      ]);
    });
}

function describeMerchant({ slug, name, id, profiles }: Merchant): string {
  return `${slug}  ${name}  ${id}  ${profiles.map(({ environment, status }) => `${environment}: ${status}`).join(', ')}`;
}
