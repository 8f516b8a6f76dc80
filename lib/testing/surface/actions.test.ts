import { expect, test } from 'vitest';
import { fieldsIn, fieldsOf, listActions } from './actions';
import { plausibleForm } from './values';

const action = (body: string) => `export async function someAction(form: FormData): Promise<void> {\n${body}\n}\n`;

test('the fields of an action include those that its helpers read', () => {
  const module = `${action("const [a, b] = [formText(form, 'a'), form.has('b')];\n  await openAction(form, pageOf(form));")}
// This comment and the next one mention a form. They must not count as a part of the function above.
/** Reads one field of the form. */
export async function otherAction(form: FormData): Promise<void> {
  formText(form, 'other');
}

function pageOf(form: FormData): string {
  return \`bills/\${form.getAll('bill')}\`;
}
`;
  expect(fieldsIn(module, 'someAction').sort()).toEqual(['a', 'b', 'bill', 'environment', 'merchant']);
  expect(fieldsIn(module, 'otherAction')).toEqual(['other']);
});

test.each([
  ['formText(form, name)', /computes/],
  [`formText(form, 'a' + topic)`, /computes/],
  ['form.get(name)', /computes/],
  ['form.entries()', /computes/],
  ['for (const [name] of form) read(name);', /computes/],
  ['readAll(form)', /passes its form to readAll/],
  ['readAll(1, form)', /passes its form to readAll/],
])('%s is reported', (body, problem) => {
  expect(() => fieldsIn(action(body), 'someAction')).toThrow(problem);
});

test('every field of every action of the build has a plausible value', () => {
  const ids = { attempt: '', bill: '', delivery: '', import: '', invitation: '', key: '', member: '', request: '', run: '' };
  const actions = listActions();
  expect(actions.length).toBeGreaterThan(40);
  for (const one of actions) expect(Object.keys(plausibleForm(one, { merchant: { slug: '', email: '' }, ids }))).toEqual(fieldsOf(one));
});
