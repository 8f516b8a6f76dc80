import type { Command } from 'commander';
import { type CloseRefusal, closeBill, type ReopenRefusal, reopenBill } from '@/lib/bills/page/close-bill';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { type JsonFlag, jsonOption, reasonOption } from '@/lib/cli/terminal/options';
import { print, UserError } from '@/lib/cli/terminal/output';

const REFUSALS: Readonly<Record<CloseRefusal | ReopenRefusal, string>> = {
  not_found: 'There is no such bill.',
  reason_required: 'Say why: --reason.',
  already_closed: 'It was closed before.',
  not_closed: 'It is not closed.',
  paid: 'It is paid: there is nothing to close.',
  prompt_open: 'A phone is being asked for it, and its owner may still agree; close it when that is settled.',
};

type BillFlags = JsonFlag & { readonly id: string; readonly reason: string };

/** `bili bill …`: bills that nobody shall pay any more. */
export function addBillCommands(bills: Command): void {
  bills
    .command('close')
    .description('close a bill: nobody can pay it any more; money that still arrives is booked')
    .requiredOption('--id <bill>', "the bill's id")
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(async ({ id, reason, json }: BillFlags) => {
      const closed = await withRuntime((runtime) => closeBill(runtime, byOperator(runtime, id, reason)));
      if (!closed.ok) throw new UserError(REFUSALS[closed.error]);
      print(json, { id, closed: true }, ['The bill is closed.']);
    });
  bills
    .command('reopen')
    .description('reopen a closed bill')
    .requiredOption('--id <bill>', "the bill's id")
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(async ({ id, reason, json }: BillFlags) => {
      const reopened = await withRuntime((runtime) => reopenBill(runtime, byOperator(runtime, id, reason)));
      if (!reopened.ok) throw new UserError(REFUSALS[reopened.error]);
      print(json, { id, closed: false }, ['The bill can be paid again.']);
    });
}

function byOperator({ actor }: CommandRuntime, billId: string, reason: string) {
  return { billId, whose: null, reason, actor, address: null };
}
