import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addCommands } from '@/lib/cli/commands/commands';
import { CHARGED_THOUGH_REFUSED, REVIEW_KINDS } from '@/lib/gateway/reviews/rules';
import type { ListedReview } from '@/lib/gateway/reviews/store';
import { actionsFor } from './review-commands';

const ABOUT = {
  attempt: { attemptId: 'a', billId: 'b' },
  payment: { paymentId: 'p', entryId: 'p' },
  reversal: { paymentId: 'p', entryId: 'p', refundId: 'q' },
};
const review: Omit<ListedReview, 'kind'> = {
  id: 'r',
  environment: 'live',
  merchant: null,
  billId: null,
  attemptId: null,
  paymentId: null,
  refundId: null,
  messageId: null,
  entryId: null,
  amount: null,
  data: {},
  openedAt: new Date(0),
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
};
const program = new Command('bili');
addCommands(program);

/** Returns the command of a line, or undefined if it does not exist or lacks one of the line's options. */
function findCommand(line: string): Command | undefined {
  const [, group = '', name = '', ...rest] = line.split(' ');
  const command = program.commands.find((one) => one.name() === group)?.commands.find((one) => one.name() === name);
  const options = rest.filter((word) => word.startsWith('--'));
  const known = (option: string) => command?.options.some(({ long }) => long === option);
  const required = command?.options.filter(({ mandatory }) => mandatory).every(({ long }) => options.includes(long ?? ''));
  return options.every(known) && required ? command : undefined;
}

const cases = REVIEW_KINDS.flatMap((kind) => Object.entries(ABOUT).map(([about, ids]) => ({ kind, about, ids })));

test.each(cases)('a review $kind about the $about has commands that settle it', ({ kind, ids }) => {
  const actions = actionsFor({ ...review, ...ids, kind });
  expect(actions.length).toBeGreaterThan(1);
  for (const { when, command } of actions) {
    expect(when).not.toBe('');
    expect(findCommand(command), command).toBeDefined();
  }
});

test.each([
  { kind: 'statement_differs', data: { statementAmount: null } },
  { kind: 'statement_differs', data: { statementAmount: '5000', transactionId: 'Q2', renumberedOf: 'a' } },
  { kind: 'contradiction', data: { problem: CHARGED_THOUGH_REFUSED, bill: 'b' } },
] as const)('a review with the facts %j has existing commands, and none of them removes a payment', ({ kind, data }) => {
  const commands = actionsFor({ ...review, ...ABOUT.payment, kind, data }).map(({ command }) => command);
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) {
    expect(findCommand(command), command).toBeDefined();
    expect(command).not.toContain('--to 0');
  }
});
