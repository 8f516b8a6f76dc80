import { type Command, Option } from 'commander';
import { changeProfile } from '@/lib/backoffice/merchants/change-settings';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { operatorResult } from '@/lib/cli/terminal/operator';
import { type JsonFlag, needMerchant, type ScopeOptions, scopeCommand } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import type { ProfileChange } from '@/lib/identity/merchants/profile-store';
import { listMerchants, type Merchant } from '@/lib/identity/merchants/store';

export function addMerchantCommands(merchants: Command): void {
  merchants
    .command('create')
    .description('create a merchant and its owner')
    .requiredOption('--name <name>', 'the name that customers know')
    .requiredOption('--email <email>', "the owner's e-mail address for signing in")
    .option('--sandbox-only', 'do not activate the live environment yet', false)
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
          : `Sign in as ${email} with the password ${password} (shown only once). It works for three days: choose another one on the account page.`,
      ]);
    });
  merchants
    .command('list')
    .description('list all merchants')
    .action(async ({ json }: JsonFlag) => {
      const found = await withRuntime((runtime) => listMerchants(runtime.db));
      printList(json, found, found.map(describeMerchant), 'There are no merchants yet: bili merchant create --name … --email …');
    });
  for (const [verb, status] of [
    ['activate', 'active'],
    ['suspend', 'suspended'],
    ['close', 'closed'],
  ] as const) {
    scopeCommand(merchants, verb, `${verb} a merchant in one environment`).action(
      async ({ merchant: given, environment, json }: ScopeOptions) => {
        const merchant = await changeProfileOf({ merchant: given, environment }, { status });
        print(json, { merchant: merchant.slug, environment, status }, [`${merchant.name} is ${status} in ${environment}.`]);
      },
    );
  }
  scopeCommand(merchants, 'unique-references', 'refuse or accept a reference that another bill already has')
    .addOption(new Option('--set <value>', 'on or off').choices(['on', 'off']).makeOptionMandatory())
    .action(async ({ merchant: given, environment, set, json }: ScopeOptions & { set: 'on' | 'off' }) => {
      const merchant = await changeProfileOf({ merchant: given, environment }, { uniqueReferences: set === 'on' });
      print(json, { merchant: merchant.slug, environment, uniqueReferences: set === 'on' }, [
        `Unique references are ${set} for ${merchant.name} in ${environment}.`,
      ]);
    });
  scopeCommand(merchants, 'issue-instruments', 'issue numbers and codes for each new bill at once, or only when somebody asks for them')
    .addOption(new Option('--set <value>', 'on or off').choices(['on', 'off']).makeOptionMandatory())
    .action(async ({ merchant: given, environment, set, json }: ScopeOptions & { set: 'on' | 'off' }) => {
      const merchant = await changeProfileOf({ merchant: given, environment }, { issuesInstruments: set === 'on' });
      print(json, { merchant: merchant.slug, environment, issuesInstruments: set === 'on' }, [
        `Payment instruments for each new bill are ${set} for ${merchant.name} in ${environment}.`,
      ]);
    });
}

/** Changes the profile of the merchant and environment that a command names. Returns the merchant. */
export async function changeProfileOf({ merchant, environment }: Omit<ScopeOptions, 'json'>, change: ProfileChange): Promise<Merchant> {
  return withRuntime(async (runtime) => {
    const found = await needMerchant(runtime, merchant);
    operatorResult(await changeProfile(runtime, operatorAccess(runtime.actor, { merchantId: found.id, environment }), change));
    return found;
  });
}

function describeMerchant({ slug, name, id, profiles }: Merchant): string {
  return `${slug}  ${name}  ${id}  ${profiles.map(describeProfile).join(', ')}`;
}

function describeProfile({ environment, status, activationRequestedAt: at }: Merchant['profiles'][number]): string {
  return `${environment}: ${status}${status === 'pending' && at ? ` (asked for activation ${at.toISOString()})` : ''}`;
}
