import { type Command, Option } from 'commander';
import { type CloseRefusal, closeBill, type ReopenRefusal, reopenBill } from '@/lib/backoffice/bill-page/close-bill';
import { rebuildDays } from '@/lib/backoffice/overview/roll-up-days';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator';
import { type JsonFlag, needMerchant, reasonOption } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';
import { findAnyBill } from '@/lib/gateway/bills/store';
import { type Access, operatorAccess, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import { ENVIRONMENTS, type Environment } from '@/lib/platform/core/scope';
import { REASON_MAX } from '@/lib/platform/core/text';

const REFUSALS: Readonly<Record<Exclude<CloseRefusal | ReopenRefusal, ProvenRefusal>, string>> = {
  not_found: 'There is no bill with that id.',
  reason_required: 'Give a reason with --reason.',
  reason_too_long: `The reason has more than ${REASON_MAX} characters.`,
  already_closed: 'The bill is already closed.',
  not_closed: 'The bill is not closed.',
  paid: 'The bill is paid, so it cannot be closed.',
  prompt_open: 'A prompt for this bill is open, and the customer may still approve it. Close the bill when the prompt is settled.',
};

type BillFlags = JsonFlag & { readonly id: string; readonly reason: string };

export function addBillCommands(bills: Command): void {
  addChange(bills, 'close', 'close a bill, so that nobody can pay it any more; money that still arrives is booked').action(
    async ({ id, reason, json }: BillFlags) => {
      const closed = await withRuntime(async (runtime) => closeBill(runtime, await accessToBill(runtime, id), { billId: id, reason }));
      valueOrRefusal(closed, REFUSALS);
      print(json, { id, closed: true }, ['The bill is closed.']);
    },
  );
  addChange(bills, 'reopen', 'reopen a closed bill').action(async ({ id, reason, json }: BillFlags) => {
    const reopened = await withRuntime(async (runtime) => reopenBill(runtime, await accessToBill(runtime, id), { billId: id, reason }));
    valueOrRefusal(reopened, REFUSALS);
    print(json, { id, closed: false }, ['The bill can be paid again.']);
  });
}

function addChange(bills: Command, name: string, description: string): Command {
  return bills.command(name).description(description).requiredOption('--id <bill>', "the bill's id").addOption(reasonOption());
}

/** Returns the operator's access to the merchant of a bill. Throws a UserError if there is no such bill. */
export async function accessToBill({ db, actor }: CommandRuntime, billId: string): Promise<Access> {
  const bill = isUuid(billId) ? await findAnyBill(db, billId) : undefined;
  if (!bill) throw new UserError(REFUSALS.not_found);
  return operatorAccess(actor, bill);
}

export function addOverviewCommands(overview: Command): void {
  overview
    .command('rebuild')
    .description('calculate all daily sums again; until then the overview is correct but slower')
    .option('--merchant <merchant>', "the merchant's slug or id; default: all")
    .addOption(new Option('--environment <environment>', 'live or sandbox; default: both').choices([...ENVIRONMENTS]))
    .action(async ({ merchant, environment, json }: JsonFlag & { readonly merchant?: string; readonly environment?: Environment }) => {
      const rebuilt = await withRuntime(async (runtime) => {
        const merchantId = merchant === undefined ? null : (await needMerchant(runtime, merchant)).id;
        return rebuildDays(runtime, { merchantId, environment: environment ?? null });
      });
      const { overviews, days } = rebuilt;
      print(json, rebuilt, [
        `${days} ${days === 1 ? 'day' : 'days'} of ${overviews} ${overviews === 1 ? 'overview' : 'overviews'} recalculated.`,
      ]);
    });
}
