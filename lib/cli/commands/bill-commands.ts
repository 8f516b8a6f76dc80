import type { Command } from 'commander';
import { type Access, operatorAccess, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { type CloseRefusal, closeBill, type ReopenRefusal, reopenBill } from '@/lib/bills/page/close-bill';
import { findAnyBill } from '@/lib/bills/store';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator-access';
import { type JsonFlag, reasonOption } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';
import { isUuid } from '@/lib/core/ids';
import { REASON_MAX } from '@/lib/core/text';

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
      const closed = await withRuntime(async (runtime) => closeBill(runtime, await accessTo(runtime, id), { billId: id, reason }));
      valueOrRefusal(closed, REFUSALS);
      print(json, { id, closed: true }, ['The bill is closed.']);
    },
  );
  addChange(bills, 'reopen', 'reopen a closed bill').action(async ({ id, reason, json }: BillFlags) => {
    const reopened = await withRuntime(async (runtime) => reopenBill(runtime, await accessTo(runtime, id), { billId: id, reason }));
    valueOrRefusal(reopened, REFUSALS);
    print(json, { id, closed: false }, ['The bill can be paid again.']);
  });
}

function addChange(bills: Command, name: string, description: string): Command {
  return bills.command(name).description(description).requiredOption('--id <bill>', "the bill's id").addOption(reasonOption());
}

/** Returns the operator's access to the merchant of a bill. Throws a UserError if there is no such bill. */
async function accessTo({ db, actor }: CommandRuntime, billId: string): Promise<Access> {
  const bill = isUuid(billId) ? await findAnyBill(db, billId) : undefined;
  if (!bill) throw new UserError(REFUSALS.not_found);
  return operatorAccess(actor, bill);
}
