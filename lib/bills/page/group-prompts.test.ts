import { expect, test } from 'vitest';
import { groupPrompts } from './group-prompts';
import type { TimelineEntry } from './timeline';

const at = new Date(0);
const prompt = (id: string): TimelineEntry => ({
  kind: 'prompt',
  id: `prompt-${id}`,
  at,
  reason: null,
  by: null,
  prompt: {
    id,
    source: 'api',
    mobile: '0712345678',
    network: 'vodacom',
    amount: 100n,
    ourReference: 'A',
    providerReference: null,
    state: 'FAILED',
    createdAt: at,
    provider: null,
  },
});
const moved = (id: string, attemptId: string | null): TimelineEntry => ({
  kind: 'moved',
  id,
  at,
  attemptId,
  state: 'SENDING',
  reason: null,
  mobile: null,
  via: null,
});

test('the steps of a payment request are below it, and everything else stays in its order', () => {
  const note: TimelineEntry = { kind: 'note', id: 'note', at, by: 'user:a', text: 'x' };
  const entries = [prompt('a'), moved('1', 'a'), note, prompt('b'), moved('2', 'b'), moved('3', 'a'), moved('4', null), moved('5', 'gone')];
  expect(groupPrompts(entries).map(({ entry, steps }) => [entry.id, ...steps.map(({ id }) => id)])).toEqual([
    ['prompt-a', '1', '3'],
    ['note'],
    ['prompt-b', '2'],
    ['4'],
    ['5'],
  ]);
});
