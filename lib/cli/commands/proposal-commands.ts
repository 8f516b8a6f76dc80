import type { Command } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { needAccess, valueOrRefusal } from '@/lib/cli/terminal/operator';
import { type JsonFlag, merchantOption, words } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { approveProposal, proposalCommands, refuseProposal } from '@/lib/gateway/webhooks/endpoint/decide-proposal';
import { listOpenProposals } from '@/lib/gateway/webhooks/endpoint/proposal-store';
import { at, describeSetStatus } from './webhook-view';

interface DecideOptions extends JsonFlag {
  readonly merchant: string;
  readonly url: string;
}

/** Adds the commands for the live webhook addresses that members propose. */
export function addProposalCommands(webhooks: Command): void {
  webhooks
    .command('proposals')
    .description('list the live addresses that merchants propose, with the commands that approve or refuse them')
    .action(async ({ json }: JsonFlag) => {
      const found = await withRuntime(({ db }) => listOpenProposals(db));
      const lines = found.flatMap(({ merchant, url, proposedBy, proposedAt }) => [
        `${merchant}  ${url}  proposed ${at(proposedAt)} by ${proposedBy}`,
        ...proposalCommands({ merchant, url }).map((command) => `  ${command}`),
      ]);
      printList(json, found, lines, 'No address waits for approval.');
    });
  decideCommand(webhooks, 'approve', 'set the live address that a merchant proposes').action(
    async ({ merchant, url, json }: DecideOptions) => {
      const set = await withRuntime(async (runtime) => {
        return approveProposal(runtime, await needAccess(runtime, { merchant, environment: 'live' }), url);
      });
      if (!set.ok) throw new UserError(`The address was not approved: ${set.error}. "bili webhook proposals" lists the open proposals.`);
      const { url: address, endpointStatus: status } = set.value;
      const lines = [`Approved. Live webhooks go to ${address}`, describeSetStatus(status, { merchant, environment: 'live' })];
      print(json, { url: address, approved: true, status }, lines);
    },
  );
  decideCommand(webhooks, 'refuse', 'refuse the live address that a merchant proposes')
    .requiredOption('--reason <text>', 'the reason, which the merchant sees', words)
    .action(async ({ merchant, url, reason, json }: DecideOptions & { reason: string }) => {
      const refused = await withRuntime(async (runtime) => {
        return refuseProposal(runtime, await needAccess(runtime, { merchant, environment: 'live' }), { url, reason });
      });
      valueOrRefusal(refused, {
        not_proposed:
          'The address was not refused: it is not the address of the open proposal. "bili webhook proposals" lists the open proposals.',
      });
      print(json, { url, refused: true }, ['Refused. The merchant sees the reason. The address has not changed.']);
    });
}

/** Adds a command about the proposal of one merchant. */
function decideCommand(webhooks: Command, name: string, description: string): Command {
  return webhooks
    .command(name)
    .description(description)
    .addOption(merchantOption())
    .requiredOption('--url <url>', 'the proposed address, exactly as proposed, so that it cannot be replaced meanwhile');
}
