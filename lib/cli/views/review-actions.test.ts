import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addCommands } from '@/lib/cli/commands/commands';
import { REVIEW_KINDS } from '@/lib/reviews/rules';
import type { ListedReview } from '@/lib/reviews/store';
import { actionsFor } from './review-actions';

const ABOUT = {
  attempt: { attemptId: 'a', billId: 'b' },
  payment: { paymentId: 'p', entryId: 'p' },
  reversal: { paymentId: 'p', entryId: 'p', reversalRequestId: 'q' },
};
const review: Omit<ListedReview, 'kind'> = {
  id: 'r',
  environment: 'live',
  merchant: null,
  billId: null,
  attemptId: null,
  paymentId: null,
  reversalRequestId: null,
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

test('a ledger entry that the statement lacks is corrected to 0', () => {
  const [never] = actionsFor({ ...review, ...ABOUT.payment, kind: 'statement_differs', data: { statementAmount: null } });
  expect(never).toEqual({ when: 'it never happened', command: 'bili payment correct p --to 0 --reason TEXT --review r' });
});
