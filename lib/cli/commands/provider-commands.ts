import { type Command, InvalidArgumentError, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { readWholeInput } from '@/lib/cli/terminal/files';
import { type JsonFlag, needMerchant, withProviders } from '@/lib/cli/terminal/options';
import { print, printList, progress, UserError } from '@/lib/cli/terminal/output';
import { isNetwork, NETWORKS, type Network } from '@/lib/platform/core/network';
import { ENVIRONMENTS, type Environment } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type ListedAccount, listAccounts } from '@/lib/providers/accounts/account-store';
import { addAccount, checkAccount, disableAccount, setPromptName, setRoute, updateAccount } from '@/lib/providers/accounts/manage-account';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { createRegistry, findProvider, PROVIDERS } from '@/lib/providers/registry';
import { describeAccount, listAccountViews } from './account-view';

interface AddOptions extends JsonFlag {
  readonly type: string;
  readonly environment: Environment;
  readonly merchant?: string;
  readonly label?: string;
  readonly networks?: readonly Network[];
  readonly config: string;
}

interface RouteOptions extends JsonFlag {
  readonly environment: Environment;
  readonly network: Network;
  readonly merchant?: string;
}

const networksOption = () =>
  new Option(
    '--networks <networks>',
    'networks to use the account for, separated by commas; default: all that the provider supports',
  ).argParser((text): Network[] => {
    const names = text.split(',').map((name) => name.trim());
    const networks = names.filter(isNetwork);
    if (networks.length < names.length) throw new InvalidArgumentError(`It must be names from ${NETWORKS.join(', ')}, separated by commas`);
    return networks;
  });

const FIELD_WIDTH = 22;
const PROVIDER_NAMES = PROVIDERS.map(({ name }) => name).join(', ');

interface Added {
  readonly id: string;
  readonly environment: Environment;
  readonly merchantId: string | null;
  readonly networks: readonly string[];
}

/** Lists the accounts of the same owner that Bili tries before the new account, for at least one network of the new account. */
async function listEarlier({ db }: Pick<Runtime, 'db'>, added: Added): Promise<ListedAccount[]> {
  return (await listAccounts(db)).filter(
    ({ id, environment, merchantId, disabledAt, networks }) =>
      id !== added.id &&
      environment === added.environment &&
      merchantId === added.merchantId &&
      disabledAt === null &&
      networks.some((network) => added.networks.includes(network)),
  );
}

export function addProviderCommands(providers: Command): void {
  providers
    .command('add')
    .description("add a provider account; prints the address for the provider's callbacks")
    .requiredOption('--type <provider>', `the provider: ${PROVIDER_NAMES}`)
    .addOption(new Option('--environment <environment>', 'live or sandbox').choices([...ENVIRONMENTS]).makeOptionMandatory())
    .option('--merchant <merchant>', 'slug or id of the merchant who owns the account; default: the operator owns it')
    .option('--label <label>', 'a name for the account')
    .addOption(networksOption())
    .requiredOption(
      '--config <file>',
      'a JSON file with the credentials, "-" for standard input; "bili provider fields <provider>" describes them',
    )
    .action(async ({ type, environment, merchant, label = type, networks: chosen, config, json }: AddOptions) => {
      const credentials = (await readWholeInput(config)).toString();
      const added = await withRuntime(async (runtime) => {
        const owner = merchant === undefined ? null : await needMerchant(runtime, merchant);
        const merchantId = owner?.id ?? null;
        const account = { provider: type, environment, merchantId, label, networks: chosen ?? null, credentials, actor: runtime.actor };
        const result = await addAccount(withProviders(runtime), account);
        return result.ok ? { ...result, earlier: await listEarlier(runtime, { ...result.value, environment, merchantId }) } : result;
      });
      if (!added.ok) throw new UserError(added.error.join('\n'));
      const { id, networks, callbackUrl } = added.value;
      print(json, { id, provider: type, environment, networks, callbackUrl }, [
        `Added ${label} (${id}) for ${networks.join(', ')} in ${environment}.`,
        `Callback URL, to be registered at the provider: ${callbackUrl}`,
        ...added.earlier.map((one) => `Payment requests try ${one.label} (${one.id}) first. To change the order: bili provider route`),
      ]);
    });
  providers
    .command('fields')
    .description("describe the file with an account's credentials")
    .argument('<provider>', `the provider: ${PROVIDER_NAMES}`)
    .action((provider: string, { json }: JsonFlag) => {
      const fields = findProvider(provider)?.fields;
      if (!fields) throw new UserError(`There is no provider "${provider}": use ${PROVIDER_NAMES}.`);
      const lines = fields.map(({ name, text, absent }) => `  ${name.padEnd(FIELD_WIDTH)}${text}${absent === null ? '' : ` (${absent})`}`);
      print(json, fields, ['A JSON object with these fields. Parentheses show the value that is used if a field is missing:', ...lines]);
    });
  providers
    .command('list')
    .description('list the provider accounts, with what happened through them in the last minutes and what they have not proven yet')
    .action(async ({ json }: JsonFlag) => {
      const accounts = await withRuntime(listAccountViews);
      const lines = accounts.flatMap(describeAccount);
      printList(json, accounts, lines, 'There are no accounts.');
    });
  providers
    .command('test')
    .description('check with the provider whether an account works; moves no money')
    .argument('<account>', "the account's id")
    .action(async (id: string, { json }: JsonFlag) => {
      progress('Asking the provider; a new session can take half a minute.');
      const tested = await withRuntime((runtime) =>
        checkAccount({ ...runtime, providers: createRegistry(runtime, null, createPrivateSessions()) }, id),
      );
      if (!tested.ok && tested.error === 'simulated') {
        const text =
          'The worker simulates the provider of this account, so there is nothing to test. "bili doctor" shows whether a worker runs.';
        return print(json, { id, works: null, simulated: true }, [text]);
      }
      if (!tested.ok) throw new UserError(`There is no account ${id}; "bili provider list" shows all.`);
      if (tested.value !== null) throw new UserError(`The account does not work: ${tested.value}`);
      print(json, { id, works: true }, ['The account works.']);
    });
  providers
    .command('update')
    .description("replace an account's credentials while it is in use; the provider must accept them first")
    .argument('<account>', "the account's id")
    .requiredOption('--config <file>', 'a JSON file with the credentials, "-" for standard input')
    .action(async (id: string, { config, json }: JsonFlag & { config: string }) => {
      const credentials = (await readWholeInput(config)).toString();
      progress('Asking the provider; a new session can take half a minute.');
      const updated = await withRuntime((runtime) =>
        updateAccount(
          { ...runtime, providers: createRegistry(runtime, null, createPrivateSessions()) },
          { id, credentials, actor: runtime.actor },
        ),
      );
      if (!updated.ok) throw new UserError(updated.error.join('\n'));
      const { callbackUrl } = updated.value;
      print(json, { id, callbackUrl }, [
        `The account ${id} uses the new credentials from now on.`,
        `Callback URL: ${callbackUrl}. The one that is registered at the provider remains valid.`,
      ]);
    });
  providers
    .command('route')
    .description("set the order in which an owner's accounts are tried for a network")
    .argument('<accounts...>', "the accounts' ids, the first choice first; the owner's other accounts come after them")
    .addOption(new Option('--environment <environment>', 'live or sandbox').choices([...ENVIRONMENTS]).makeOptionMandatory())
    .addOption(new Option('--network <network>', 'the network').choices([...NETWORKS]).makeOptionMandatory())
    .option('--merchant <merchant>', 'slug or id of the merchant who owns the accounts; default: the operator owns them')
    .action(async (accountIds: string[], { environment, network, merchant, json }: RouteOptions) => {
      const set = await withRuntime(async (runtime) => {
        const merchantId = merchant === undefined ? null : (await needMerchant(runtime, merchant)).id;
        return setRoute(runtime, { environment, merchantId, network, accountIds, actor: runtime.actor });
      });
      if (!set.ok) throw new UserError(set.error);
      print(json, { environment, network, accounts: accountIds }, [
        `Payment requests for ${network} in ${environment} try: ${accountIds.join(', ')}.`,
      ]);
    });
  addPromptNameCommand(providers);
  providers
    .command('disable')
    .description('stop sending new prompts through an account; sent prompts are still settled')
    .argument('<account>', "the account's id")
    .action(async (id: string, { json }: JsonFlag) => {
      const disabled = await withRuntime((runtime) => disableAccount(runtime, { id, actor: runtime.actor }));
      if (!disabled) throw new UserError(`There is no active account ${id}.`);
      print(json, { id, disabled: true }, [`${id} is disabled.`]);
    });
}

function addPromptNameCommand(providers: Command): void {
  providers
    .command('prompt-name')
    .description("set the name that an account's prompts show as the receiver of the money; the payment page tells customers to expect it")
    .argument('<account>', "the account's id")
    .argument('[name]', 'the name exactly as phones show it')
    .option('--none', 'remove the name; the payment page then mentions only the amount')
    .action(async (id: string, name: string | undefined, { none, json }: JsonFlag & { none?: true }) => {
      if ((name === undefined) !== (none === true)) throw new UserError('Give either a name or --none.');
      const set = await withRuntime((runtime) => setPromptName(runtime, { id, name: name ?? null, actor: runtime.actor }));
      if (!set.ok) throw new UserError(set.error);
      const text =
        set.value === null ? 'The payment page names no receiver.' : `The payment page tells customers to expect "${set.value}".`;
      print(json, { id, promptName: set.value }, [text]);
    });
}
