import { describe, expect, test } from 'vitest';
import { dueAtOfDay } from './bill-info';
import { describeDue, dueState } from './due-state';

const open = { status: 'NOT_PAID', closedAt: null, dueAt: dueAtOfDay('2026-11-30') } as const;
/** `end` returns the last millisecond of a day in East Africa, and `start` the first. */
const end = (day: string) => new Date(`${day}T23:59:59.999+03:00`);
const start = (day: string) => new Date(`${day}T00:00:00+03:00`);

describe('a due date', () => {
  test.each([
    [start('2026-11-27'), { kind: 'due', days: 3 }],
    [start('2026-11-30'), { kind: 'due', days: 0 }],
    [end('2026-11-30'), { kind: 'due', days: 0 }],
    [start('2026-12-01'), { kind: 'overdue', days: 1 }],
    [end('2026-12-03'), { kind: 'overdue', days: 3 }],
  ] as const)('at %s', (now, state) => {
    expect(dueState(open, now)).toEqual(state);
  });

  test('does not matter for a bill that is paid or closed, but for one that is partially paid', () => {
    const now = start('2026-12-02');
    expect(dueState({ ...open, dueAt: null }, now)).toBeNull();
    expect(dueState({ ...open, status: 'FULLY_PAID' }, now)).toBeNull();
    expect(dueState({ ...open, closedAt: now }, now)).toBeNull();
    expect(dueState({ ...open, status: 'PARTIALLY_PAID' }, now)).toEqual({ kind: 'overdue', days: 2 });
  });

  test.each([
    ['2026-11-23', 'Due 30 Nov', 'Mwisho 30 Nov'],
    ['2026-11-30', 'Due today', 'Mwisho ni leo'],
    ['2026-12-01', 'Overdue by 1 day', 'Imechelewa siku 1'],
    ['2026-12-03', 'Overdue by 3 days', 'Imechelewa siku 3'],
    ['2025-12-31', 'Due 30 Nov 2026', 'Mwisho 30 Nov 2026'],
  ])('on %s is shown as "%s" and "%s"', (day, english, swahili) => {
    expect(describeDue(open, start(day), 'en')?.text).toBe(english);
    expect(describeDue(open, start(day), 'sw')?.text).toBe(swahili);
  });
});
