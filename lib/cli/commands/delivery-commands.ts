import { type Command, InvalidArgumentError, Option } from 'commander';
import { operatorAccess } from '@/lib/accounts/access/grant-access';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator-access';
import { type JsonFlag, needScope, type ScopeOptions, scopeCommand } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';
import { describeDelivery, describeStop, describeWhole } from '@/lib/cli/views/delivery-view';
import { describeHold } from '@/lib/cli/views/webhook-view';
import { isUuid } from '@/lib/core/ids';
import { parsePeriod } from '@/lib/reconciliation/period';
import { isStopped } from '@/lib/webhooks/endpoint/hold-rules';
import { listDeliveries } from '@/lib/webhooks/log/list-deliveries';
import { showDelivery } from '@/lib/webhooks/log/show-delivery';
import { type RedeliverRefusal, redeliverWebhook } from '@/lib/webhooks/redeliver/redeliver-webhook';
import { DELIVERY_STATES, type DeliveryState } from '@/lib/webhooks/state';
import { addRedeliveryCommands } from './redelivery-commands';

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
