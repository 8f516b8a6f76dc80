import { expect, test } from 'vitest';
import { type AttemptState, checkTransitions, isOpen, mayBecome, TRANSITIONS } from './state';

test('every state is defined and can be reached', () => {
  expect(() => checkTransitions()).not.toThrow();
});

test('a table with an unreachable or undefined state is rejected', () => {
  expect(() => checkTransitions({ QUEUED: ['SENDING'], SENDING: [], LOST: [] })).toThrow('no state leads to these states: LOST');
  expect(() => checkTransitions({ QUEUED: ['GONE'] })).toThrow('GONE is not defined');
});

const states = Object.keys(TRANSITIONS).filter((state): state is AttemptState => state in TRANSITIONS);

test('a payment can be recorded in every state; only SUCCEEDED and CANCELLED are final', () => {
  for (const state of states) expect(mayBecome(state, 'SUCCEEDED')).toBe(state !== 'SUCCEEDED' && state !== 'CANCELLED');
});

test('a settled state never becomes open again', () => {
  for (const from of states.filter((state) => !isOpen(state))) {
    for (const to of states.filter(isOpen)) expect(mayBecome(from, to)).toBe(false);
  }
});
