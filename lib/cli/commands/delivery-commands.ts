import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AttemptView, DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import { describeFailure } from '@/lib/backoffice/delivery-log/describe-failure';
import { listDeliveries } from '@/lib/backoffice/delivery-log/list-deliveries';
import { type ShownDelivery, showDelivery } from '@/lib/backoffice/delivery-log/show-delivery';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { needAccess, valueOrRefusal } from '@/lib/cli/terminal/operator';
import { type JsonFlag, needScope, type ScopeOptions, scopeCommand, wholeNumber } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { isStopped } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { cancelRedelivery } from '@/lib/gateway/webhooks/redeliver/cancel-redelivery';
import { type RedeliverRefusal, redeliverWebhook } from '@/lib/gateway/webhooks/redeliver/redeliver-webhook';
import { findRedeliveryScope } from '@/lib/gateway/webhooks/redeliver/redelivery-store';
import { type RedeliveryProgress, showRedeliveries, showRedelivery } from '@/lib/gateway/webhooks/redeliver/show-redelivery';
import { type StartedRedelivery, type StartRefusal, startRedelivery } from '@/lib/gateway/webhooks/redeliver/start-redelivery';
import { MISSED_STATES, PACE, REDELIVERED_STATES, type RedeliveredState } from '@/lib/gateway/webhooks/redelivery-rules';
import { DELIVERY_STATES, type DeliveryState } from '@/lib/gateway/webhooks/state';
import { type Access, operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import { parsePeriod } from '@/lib/platform/core/period';
import { at, describeHold, type EndpointName } from './webhook-view';

const NO_DELIVERY = 'There is no such delivery. "bili deliveries list" shows the deliveries of a merchant.';

const REFUSALS: Readonly<Record<RedeliverRefusal, string>> = {
  not_found: NO_DELIVERY,
  no_address: 'The merchant has no webhook address. "bili webhook set" sets one.',
  waits_for_earlier: 'It waits for an earlier webhook of the same bill. Redeliver that one first.',
  being_sent: 'It is being sent now. "bili deliveries show" shows the result.',
};

interface ListOptions extends ScopeOptions {
  readonly status?: readonly DeliveryState[];
  readonly failed: boolean;
  readonly bill?: string;
  readonly from?: string;
  readonly to?: string;
  readonly before?: string;
}

export function addDeliveryCommands(deliveries: Command): void {
  addList(deliveries);
  deliveries
    .command('show')
    .description('show one delivery: the exact body, and every delivery attempt with the answer')
    .argument('<delivery>', "the delivery's id")
    .action(async (id: string, { json }: JsonFlag) => {
      const shown = await withRuntime((runtime) => showDelivery(runtime, null, id));
      if (!shown) throw new UserError(NO_DELIVERY);
      print(json, shown, describeWhole(shown));
    });
  deliveries
    .command('redeliver')
    .description('send one webhook again, or send a waiting one now')
    .argument('<delivery>', "the delivery's id")
    .action(async (id: string, { json }: JsonFlag) => {
      const { done, endpoint } = await withRuntime(async (runtime) => {
        const found = await showDelivery(runtime, null, id);
        if (!found) throw new UserError(NO_DELIVERY);
        const { merchantId, environment } = found;
        return {
          done: await redeliverWebhook(runtime, operatorAccess(runtime.actor, found), id),
          endpoint: { merchant: merchantId, environment },
        };
      });
      const { hold } = valueOrRefusal(done, REFUSALS);
      const when = isStopped(hold) ? ' once the endpoint is resumed' : '';
      print(json, { id, redelivered: true, hold }, [`${id} will be sent again${when}. ${describeHold(hold, endpoint)}`]);
    });
  addRedeliveryCommands(deliveries);
}

function addList(deliveries: Command): void {
  scopeCommand(deliveries, 'list', "list a merchant's deliveries, newest first")
    .addOption(new Option('--status <status...>', 'only deliveries in these states').choices([...DELIVERY_STATES]))
    .option('--failed', 'only undelivered ones with failed delivery attempts', false)
    .option('--bill <bill>', 'only deliveries of this bill (id)')
    .option('--from <when>', 'created on or after this day (2026-11-01, East Africa Time) or this time with offset')
    .option('--to <when>', 'created up to the end of this day, or before this time')
    .option('--before <delivery>', 'only deliveries older than this one (id), for the next page', deliveryId)
    .action(async ({ status, failed, bill, from, to, before, json, ...options }: ListOptions, command: Command) => {
      if ((from === undefined) !== (to === undefined)) return command.error('Give both --from and --to, or neither.');
      const period = from !== undefined && to !== undefined ? parsePeriod(from, to) : null;
      if (period && !period.ok) return command.error(`--from, --to: ${period.error}`);
      const filter = { states: status ?? null, failed, billId: bill ?? null, before: before ?? null, ...period?.value };
      const { deliveries: found, older } = await withRuntime(async (runtime) =>
        listDeliveries(runtime, { scope: await needScope(runtime, options) }, filter),
      );
      const lines = found.map(describeDelivery);
      const more = older ? [`For older deliveries: --before ${older}`] : [];
      const stop = describeStop(found, options);
      print(json, { deliveries: found, older }, lines.length > 0 ? [...lines, ...stop, ...more] : ['No deliveries match.']);
    });
}

function deliveryId(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It must be the id of a delivery');
  return text;
}

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

function addRedeliveryCommands(deliveries: Command): void {
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

function describeDelivery(delivery: DeliveryView): string {
  const { id, state, billStatus, reference, attemptCount, createdAt } = delivery;
  return `${id}  ${state}  ${billStatus}  ${JSON.stringify(reference)}  ${at(createdAt)}  ${attempts(attemptCount)}${describeNext(delivery)}`;
}

function describeNext({ state, dueAt, hold, nextTry }: DeliveryView): string {
  if (isStopped(hold)) return ', waits until the endpoint is resumed';
  return state === 'PENDING' && dueAt ? `, next at ${at(nextTry ?? dueAt)}` : '';
}

/** Returns a line with the command that resumes the endpoint. Returns no line if no delivery waits until the endpoint is resumed. */
function describeStop(deliveries: readonly DeliveryView[], endpoint: EndpointName): string[] {
  const stopped = deliveries.find(({ hold }) => isStopped(hold));
  return stopped ? [describeHold(stopped.hold, endpoint)] : [];
}

function describeWhole(delivery: ShownDelivery): string[] {
  const { merchantId, environment, billId, ordered, trigger, triggeredBy, redeliveryId, deliveredAt, messageId, body, hold } = delivery;
  return [
    describeDelivery(delivery),
    ...describeStop([delivery], { merchant: merchantId, environment }).map((line) => `  ${line}`),
    `  bill ${billId}${ordered ? '' : ', not in the order of the bill'}`,
    `  ${triggerOf(trigger, triggeredBy)}${redeliveryId ? `, run ${redeliveryId}` : ''}`,
    ...(deliveredAt ? [`  first delivered at ${at(deliveredAt)}`] : []),
    `  webhook-id: ${messageId}`,
    `  body: ${body}`,
    ...delivery.attempts.flatMap((one, index) => describeAttempt(one, index === 0 && isStopped(hold))),
  ];
}

/** @param stopped whether the next delivery attempt waits until the endpoint is resumed. */
function describeAttempt(one: AttemptView, stopped: boolean): string[] {
  const { number, startedAt, url, address, httpStatus, durationMs, error, errorData, responseHeaders, excerpt, nextAttemptAt } = one;
  const steps = { dns: one.dnsMs, connect: one.connectMs, tls: one.tlsMs, 'first byte': one.firstByteMs, total: durationMs };
  const timings = Object.entries(steps).flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`]));
  return [
    `${number}. ${at(startedAt)}  ${httpStatus === null ? 'no answer' : `answered ${httpStatus}`}  ${triggerOf(one.trigger, one.triggeredBy)}`,
    `  ${url}${address ? ` (${address})` : ''}: ${timings.join(', ')}`,
    ...(error === null ? [] : [`  ${withoutControls(describeFailure('en', error, errorData))}`]),
    ...(errorData.detail ? [`  ${withoutControls(String(errorData.detail))}`] : []),
    ...Object.entries(responseHeaders).map(([name, value]) => `  ${name}: ${withoutControls(value)}`),
    ...(excerpt === '' ? [] : excerpt.split('\n').map((line) => `  | ${line}`)),
    ...(nextAttemptAt ? [stopped ? '  next attempt once the endpoint is resumed' : `  next attempt from ${at(nextAttemptAt)} on`] : []),
  ];
}

/** Formats the progress of a bulk redelivery as one line. */
function describeRun(run: RedeliveryProgress): string {
  const { id, state, total, started, delivered, waiting, failed, leftOut } = run;
  const outcome = `${delivered} delivered, ${waiting} waiting, ${failed} failed${leftOut > 0 ? `, ${leftOut} cancelled or sent in another way` : ''}`;
  return `${id}  ${state}  ${started} of ${total} sent again: ${outcome}`;
}

/** Describes what a bulk redelivery selects, and who requested it. */
function describeOrder({ states, from, to, perSecond, requestedBy, createdAt, completedAt }: RedeliveryProgress): string[] {
  return [
    `  ${states.join(', ')} created from ${at(from)} until before ${at(to)}, ${perSecond} a second`,
    `  requested by ${requestedBy} at ${at(createdAt)}${completedAt ? `, ended at ${at(completedAt)}` : ''}`,
  ];
}

/** Formats the number of selected deliveries by state. */
function describeCounts(counts: StartedRedelivery['counts']): string[] {
  return counts.map(({ state, count, first, last }) => `${state}: ${count}, created from ${at(first)} to ${at(last)}`);
}

function attempts(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}

function triggerOf(trigger: string, by: string | null): string {
  return by ? `${trigger}, by ${by}` : trigger;
}

/** Removes control characters, which could control the terminal, from texts that come from outside. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
