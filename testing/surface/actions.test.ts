import { expect, test } from 'vitest';
import { fieldsOf, formIn, isReadWhole, listActions } from './actions';
import { plausibleForm } from './values';

const MODULE = `
const page = ofMerchant('bills');
const shared = { bill: text(), ...each(TOPICS, joined('\\n')) };

// This comment mentions formAction(page, { none: text() }).
export const saveAction = formAction(page, { ...shared, name: text(300), amount: text().transform((a, b) => ({ a, b })), secret }, run);

export const leaveAction = plainAction(ofGuest, {}, async () => '/');

function closingAction(change: Change) {
  return formAction(ofMerchant(pageOf), { reason: text() }, run);
}

export const closeAction = closingAction(closeBill);
`;

test('the fields of an action are those of its schema', () => {
  const saved = formIn(MODULE, 'saveAction');
  expect(saved.takesState).toBe(true);
  expect([...saved.schemas.keys()].sort()).toEqual(
    ['amount', 'bill', 'environment', 'keys', 'merchant', 'money', 'name', 'secret', 'security', 'summary', 'webhooks'].sort(),
  );
  expect(saved.schemas.get('money')).toBe("joined('\\n')");
  expect(formIn(MODULE, 'leaveAction')).toEqual({ takesState: false, schemas: new Map() });
  expect([...formIn(MODULE, 'closeAction').schemas.keys()]).toEqual(['merchant', 'environment', 'reason']);
});

test.each([
  ['export async function act(form: FormData) {}', /neither by formAction/],
  ['export const act = formAction(page, fieldsOf(names), run);', /must be an object/],
  ['export const act = formAction(page, { ...each(NAMES, text()) }, run);', /add NAMES/],
  ['export const act = formAction(page, { ...imported }, run);', /must be an object/],
  ['export const act = formAction(page, { [name]: text() }, run);', /cannot be read/],
])('%s is reported', (module, problem) => {
  expect(() => formIn(module, 'act')).toThrow(problem);
});

test('every field of every action of the build has a plausible value', () => {
  const ids = { attempt: '', bill: '', delivery: '', import: '', invitation: '', key: '', member: '', request: '', run: '' };
  const actions = listActions();
  expect(actions.length).toBeGreaterThan(40);
  for (const one of actions) expect(Object.keys(plausibleForm(one, { merchant: { slug: '', email: '' }, ids }))).toEqual(fieldsOf(one));
  const repeated = actions.flatMap((one) => fieldsOf(one).filter((field) => isReadWhole(one, field)));
  expect(new Set(repeated)).toEqual(new Set(['bill', 'keys', 'money', 'on', 'scopes', 'security', 'state', 'summary', 'webhooks']));
});
