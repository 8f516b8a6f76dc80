import type { Command } from 'commander';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { confirm } from '@/lib/cli/terminal/files';
import { type JsonFlag, reasonOption } from '@/lib/cli/terminal/options';
import { print, progress, UserError } from '@/lib/cli/terminal/output';
import { endHold, startHold } from '@/lib/gateway/hold/hold-copy';
import { readHold } from '@/lib/platform/hold/hold-store';

/** Adds the commands about the hold of a copy of the database. `bili hold` shows it. */
export function addHoldCommands(hold: Command): void {
  hold
    .command('show', { isDefault: true })
    .description('show whether this copy is on hold, and which copy it is; changes nothing')
    .action(async ({ json }: JsonFlag) => {
      const shown = await withRuntime(async (runtime) => ({ hold: await readHold(runtime.db), copy: await describeCopy(runtime) }));
      const state = shown.hold
        ? `This copy is on hold since ${shown.hold.since.toISOString()}: ${shown.hold.reason}. Nothing is sent.`
        : 'This copy is not on hold.';
      print(json, shown, [state, ...linesOf(shown.copy)]);
    });
  hold
    .command('start')
    .description('put this copy on hold: nothing is sent, and no bill can be created or paid, until "hold end"; for restored copies')
    .addOption(reasonOption())
    .action(async ({ reason, json }: JsonFlag & { reason: string }) => {
      const { hold: stored, started } = await withRuntime((runtime) => startHold(runtime, { actor: runtime.actor, reason }));
      const since = stored.since.toISOString();
      print(json, stored, [
        started
          ? 'This copy is on hold. Processes that run notice it within five seconds.'
          : `This copy is already on hold since ${since}: ${stored.reason}.`,
      ]);
    });
  hold
    .command('end')
    .description('end the hold, because this copy is the live one from now on; asks for a confirmation')
    .addOption(reasonOption())
    .option('--yes', 'confirm without a question, for scripts', false)
    .action(async ({ json, yes }: JsonFlag & { yes: boolean }) => withRuntime((runtime) => confirmAndEnd(runtime, { json, yes })));
}

async function confirmAndEnd(runtime: CommandRuntime, { json, yes }: JsonFlag & { readonly yes: boolean }): Promise<void> {
  if (!(await readHold(runtime.db))) throw new UserError('This copy is not on hold.');
  for (const line of linesOf(await describeCopy(runtime))) progress(line);
  progress('From then on this copy sends prompts, webhooks and mails. No other copy may run.');
  if (!yes && !(await confirm('Is this copy the live one?'))) throw new UserError('The hold was not ended. At no terminal, add --yes.');
  const ended = await endHold(runtime, { actor: runtime.actor });
  if (ended.kind === 'not_held') throw new UserError('This copy is not on hold.');
  if (ended.kind === 'too_early') {
    const until = ended.until.toISOString();
    throw new UserError(
      `The hold can end at ${until}. Until then, a prompt that another copy has sent could be sent again, because it is younger than ten minutes.`,
    );
  }
  const { attempts, refunds, instruments } = ended.interrupted;
  print(json, ended, [
    'The hold has ended. Processes that run notice it within five seconds.',
    `Counted as sent, and queried instead of sent again: ${attempts} payment requests, ${refunds} refunds, ${instruments} payment instruments.`,
  ]);
}

interface Copy {
  readonly merchants: number;
  /** The newest bill and payment of live; null if there is none. */
  readonly newestBill: { readonly id: string; readonly createdAt: Date } | null;
  readonly newestPayment: { readonly id: string; readonly createdAt: Date } | null;
  /** Refunds that wait for a second person. */
  readonly refundsToApprove: number;
}

/** Returns what tells one copy of the database from another. */
async function describeCopy({ db: { prisma } }: CommandRuntime): Promise<Copy> {
  const newest = { where: { environment: 'live' }, orderBy: { id: 'desc' } } as const;
  const payment = await prisma.payment.findFirst({ ...newest, select: { id: true, recordedAt: true } });
  return {
    merchants: await prisma.merchant.count(),
    newestBill: await prisma.bill.findFirst({ ...newest, select: { id: true, createdAt: true } }),
    newestPayment: payment && { id: payment.id, createdAt: payment.recordedAt },
    refundsToApprove: await prisma.refund.count({ where: { environment: 'live', state: 'ASKED' } }),
  };
}

function linesOf({ merchants, newestBill, newestPayment, refundsToApprove }: Copy): string[] {
  const when = (row: Copy['newestBill']) => (row ? `${row.id}, ${row.createdAt.toISOString()}` : 'none');
  return [
    `Merchants:             ${merchants}`,
    `Newest live bill:      ${when(newestBill)}`,
    `Newest live payment:   ${when(newestPayment)}`,
    `Refunds to approve:    ${refundsToApprove}${refundsToApprove > 0 ? ' (before a person approves one: the other copy may have sent it)' : ''}`,
  ];
}
