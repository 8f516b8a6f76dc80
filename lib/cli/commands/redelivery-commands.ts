import { type Command, Option } from 'commander';
import { type Access, operatorAccess } from '@/lib/accounts/access/grant-access';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { needAccess, valueOrRefusal } from '@/lib/cli/terminal/operator-access';
import { type JsonFlag, type ScopeOptions, scopeCommand, wholeNumber } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { describeCounts, describeOrder, describeRun } from '@/lib/cli/views/delivery-view';
import { describeHold } from '@/lib/cli/views/webhook-view';
import { isUuid } from '@/lib/core/ids';
import { parsePeriod } from '@/lib/reconciliation/period';
import { cancelRedelivery } from '@/lib/webhooks/redeliver/cancel-redelivery';
import { findRedeliveryScope } from '@/lib/webhooks/redeliver/run-listing-store';
import { showRedeliveries, showRedelivery } from '@/lib/webhooks/redeliver/show-redelivery';
import { type StartRefusal, startRedelivery } from '@/lib/webhooks/redeliver/start-redelivery';
import { MISSED_STATES, PACE, REDELIVERED_STATES, type RedeliveredState } from '@/lib/webhooks/redelivery-rules';

const NO_RUN = 'There is no such bulk redelivery. "bili deliveries runs" lists those of a merchant.';

const START_REFUSALS: Readonly<Record<StartRefusal, string>> = {
  empty_period: 'That period is in the future.',
  wrong_pace: `--per-second must be from ${PACE.least} to ${PACE.most}.`,
  no_address: 'The merchant has no webhook address. "bili webhook set" sets one.',
  nothing_found: 'No deliveries match in that period, so nothing is sent.',
};

interface ManyOptions extends ScopeOptions {
  readonly from: string;
  readonly to: string;
  readonly status: readonly RedeliveredState[];
  readonly perSecond: number;
  readonly dryRun: boolean;
}

export function addRedeliveryCommands(deliveries: Command): void {
  addStart(deliveries);
  scopeCommand(deliveries, 'runs', "list a merchant's newest bulk redeliveries and their progress").action(
    async ({ json, ...options }: ScopeOptions) => {
      const runs = await withRuntime(async (runtime) => showRedeliveries(runtime, await needAccess(runtime, options)));
      printList(json, runs, runs.map(describeRun), 'There are no bulk redeliveries.');
    },
  );
  deliveries
    .command('run')
    .description('show the progress of a bulk redelivery')
    .argument('<run>', "the run's id")
    .action(async (id: string, { json }: JsonFlag) => {
      const run = await withRuntime(async (runtime) => showRedelivery(runtime, await accessToRun(runtime, id), id));
      if (!run) throw new UserError(NO_RUN);
      print(json, run, [describeRun(run), ...describeOrder(run)]);
    });
  deliveries
    .command('cancel')
    .description('cancel a bulk redelivery; deliveries that it queued and that are not sent yet return to their earlier state')
    .argument('<run>', "the run's id")
    .action(async (id: string, { json }: JsonFlag) => {
      const done = await withRuntime(async (runtime) => cancelRedelivery(runtime, await accessToRun(runtime, id), id));
      if (!done.ok) throw new UserError(done.error === 'over' ? 'It has ended, so there is nothing to cancel.' : NO_RUN);
      const { returned } = done.value;
      print(json, { id, cancelled: true, returned }, [`Cancelled. ${returned} queued deliveries returned to their earlier state.`]);
    });
}

function addStart(deliveries: Command): void {
  scopeCommand(
    deliveries,
    'redeliver-many',
    'send the deliveries of a period again; by default those that are exhausted or were never sent',
  )
    .requiredOption('--from <when>', 'created on or after this day (2026-11-01, East Africa Time) or this time with offset')
    .requiredOption('--to <when>', 'created up to the end of this day, or before this time')
    .addOption(
      new Option('--status <status...>', 'only deliveries in these states').choices([...REDELIVERED_STATES]).default([...MISSED_STATES]),
    )
    .addOption(
      new Option('--per-second <count>', 'deliveries queued per second').argParser(wholeNumber(PACE.least, PACE.most)).default(PACE.usual),
    )
    .option('--dry-run', 'only count the deliveries', false)
    .action(async ({ from, to, status: states, perSecond, dryRun, json, ...options }: ManyOptions, command: Command) => {
      const period = parsePeriod(from, to);
      if (!period.ok) return command.error(`--from, --to: ${period.error}`);
      const started = await withRuntime(async (runtime) => {
        return startRedelivery(runtime, await needAccess(runtime, options), { ...period.value, states, perSecond, dryRun });
      });
      const { id, total, counts, hold } = valueOrRefusal(started, START_REFUSALS);
      const what =
        id === null
          ? `${total} would be sent again.`
          : `Bulk redelivery ${id} sends ${total} again. "bili deliveries run ${id}" shows its progress.`;
      print(json, { id, total, counts, hold }, [...describeCounts(counts), what, ...(hold ? [describeHold(hold, options)] : [])]);
    });
}

/** Returns the merchant and environment of a bulk redelivery. Throws a UserError if it does not exist. */
async function accessToRun(runtime: CommandRuntime, id: string): Promise<Access> {
  const scope = isUuid(id) ? await findRedeliveryScope(runtime.db, id) : undefined;
  if (!scope) throw new UserError(NO_RUN);
  return operatorAccess(runtime.actor, scope);
}
