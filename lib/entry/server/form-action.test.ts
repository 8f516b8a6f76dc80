import { describe, expect, test } from 'vitest';
import { each, formAction, joined, list, optional, plainAction, present, secret, text } from './form-action';

const open = async () => ({ member: 'Asha' });

function form(fields: Readonly<Record<string, string | readonly string[] | File>>): FormData {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) data.append(name, value);
  return data;
}

test('an action gets the values of the fields and the context', async () => {
  const fields = { name: text(5), amount: optional, ask: present, bill: list, on: joined(' '), ...each(['a', 'b'], text()) };
  const action = formAction(open, fields, async ({ member }, values) => ({ done: { member, values } }));
  const { done } = await action(null, form({ name: ['longer', 'second'], ask: '', bill: ['1', '2'], on: ['x', 'y'], b: 'B', other: '!' }));
  const values = { name: 'longe', amount: null, ask: true, bill: ['1', '2'], on: 'x y', a: '', b: 'B' };
  expect(done).toEqual({ member: 'Asha', values });
});

test('a file in the place of a text counts as missing', async () => {
  const action = formAction(open, { name: text(), amount: optional }, async (_, values) => ({ done: values }));
  const { done } = await action(null, form({ name: new File(['x'], 'name'), amount: new File(['x'], 'amount') }));
  expect(done).toEqual({ name: '', amount: null });
});

describe('after an error, a form shows', () => {
  const fields = { email: text(), amount: optional, password: secret, bill: list };
  const sent = form({ email: ' a@b ', amount: '5', password: 'hidden', bill: ['1'] });

  test('what was typed, but no secret', async () => {
    const action = formAction(open, fields, async (_, { password }) => ({
      problems: { email: `${password.sent} ${password.text.length}` },
    }));
    expect(await action(null, sent)).toEqual({
      typed: { email: ' a@b ', amount: '5', password: '', bill: '' },
      problems: { email: 'true 6' },
    });
  });

  test('other values that the action returned', async () => {
    const action = formAction(open, fields, async (_, { email }) => ({ typed: { email: email.trim() }, problems: { all: 'wrong' } }));
    expect((await action(null, sent)).typed).toMatchObject({ email: 'a@b', amount: '5', password: '' });
  });
});

test.each([
  ['formAction', () => formAction(open, { id: text() }, async (_, { id }) => `/bills/${id}`)(null, form({ id: '7' }))],
  ['plainAction', () => plainAction(open, { id: text() }, async (_, { id }) => `/bills/${id}`)(form({ id: '7' }))],
])('%s redirects to the path that it returns', async (_, act) => {
  await expect(act()).rejects.toMatchObject({ digest: expect.stringContaining(';/bills/7;') });
});
