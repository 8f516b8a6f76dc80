import { type Command, InvalidArgumentError, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import type { JsonFlag } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { isNetwork, type Network, OPERATED_NETWORKS, type OperatedNetwork, type Prefix, parsePrefix, WALLETS } from '@/lib/core/network';
import { setPrefix, unsetPrefix } from '@/lib/networks/change-prefix';
import { listPrefixes } from '@/lib/networks/store';

const prefixOption = () =>
  new Option('--prefix <prefix>', 'the two digits after the leading zero').argParser((text): Prefix => {
    const prefix = parsePrefix(text);
    if (prefix === null) throw new InvalidArgumentError('It must be two digits, the first of which is 6 or 7');
    return prefix;
  });

export function addNetworkCommands(networks: Command): void {
  networks
    .command('list')
    .description('list the prefixes and their networks')
    .action(async ({ json }: JsonFlag) => {
      const rows = await withRuntime((runtime) => listPrefixes(runtime.db));
      const views = rows.map(({ prefix, network }) => ({ prefix, network, wallet: isNetwork(network) ? WALLETS[network] : null }));
      const lines = views.map(({ prefix, network, wallet }) => `0${prefix}  ${network}  ${wallet ?? 'not known to this version'}`);
      printList(json, views, lines, 'No prefix is assigned to a network.');
    });
  networks
    .command('set')
    .description('assign a prefix to a network; the next prompt uses it')
    .addOption(prefixOption().makeOptionMandatory())
    .addOption(new Option('--network <network>', 'the network').choices([...OPERATED_NETWORKS]).makeOptionMandatory())
    .action(async ({ prefix, network, json }: JsonFlag & { prefix: Prefix; network: OperatedNetwork }) => {
      const previous = await withRuntime((runtime) => setPrefix(runtime, { prefix, network, actor: runtime.actor }));
      const before = previous === null || previous === network ? '' : ` (before: ${previous})`;
      print(json, { prefix, network, previous }, [`Numbers that start with 0${prefix} now belong to ${network}${before}.`]);
    });
  networks
    .command('unset')
    .description('remove a prefix from its network')
    .addOption(prefixOption().makeOptionMandatory())
    .action(async ({ prefix, json }: JsonFlag & { prefix: Prefix }) => {
      const previous = await withRuntime((runtime) => unsetPrefix(runtime, { prefix, actor: runtime.actor }));
      if (previous === null)
        throw new UserError(`The prefix ${prefix} is not assigned to a network. "bili network list" shows all assigned prefixes.`);
      const network: Network = 'other';
      print(json, { prefix, network, previous }, [`Numbers that start with 0${prefix} now belong to no network (before: ${previous}).`]);
    });
}
