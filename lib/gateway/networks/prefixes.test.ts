import { expect, test } from 'vitest';
import { type OperatedNetwork, parsePrefix } from '@/lib/platform/core/network';
import { makeBill, makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { setPrefix, unsetPrefix } from './change-prefix';
import { findNetworkByPrefix, listPrefixes } from './store';

const runtime = testRuntime();
const actor = TEST_OPERATOR;

function prefixOf(text: string) {
  const prefix = parsePrefix(text);
  if (prefix === null) throw new Error(`${text} is not a prefix`);
  return prefix;
}
const set = (prefix: string, network: OperatedNetwork) => setPrefix(runtime(), { prefix: prefixOf(prefix), network, actor });
const unset = (prefix: string) => unsetPrefix(runtime(), { prefix: prefixOf(prefix), actor });

/** Creates a bill for a number. @returns the network of its attempt. */
async function networkOfBill(mobile: string): Promise<string | undefined> {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile });
  const [row] = await runtime().db.query<{ network: string }>({ text: 'SELECT network FROM push_attempt WHERE bill_id = $1' }, [billId]);
  return row?.network;
}

test.each([
  ['0612345678', 'halotel'],
  ['0652345678', 'yas'],
  ['0772345678', 'yas'],
  ['0662345678', 'airtel'],
  ['0782345678', 'airtel'],
  ['0732345678', 'ttcl'],
  ['0742345678', 'vodacom'],
  ['0792345678', 'vodacom'],
  ['0722345678', 'other'],
])('%s belongs to the network %s', async (mobile, network) => {
  expect(await findNetworkByPrefix(runtime().db, mobile)).toBe(network);
  expect(await networkOfBill(mobile)).toBe(network);
});

test('a changed prefix applies to the next bill, and the change is in the audit log', async () => {
  expect(await set('72', 'halotel')).toBeNull();
  expect(await networkOfBill('0722345678')).toBe('halotel');
  expect(await set('72', 'ttcl')).toBe('halotel');
  expect(await networkOfBill('0722345678')).toBe('ttcl');
  expect(await listPrefixes(runtime().db)).toContainEqual({ prefix: '72', network: 'ttcl' });
  expect(await unset('72')).toBe('ttcl');
  expect(await unset('72')).toBeNull();
  expect(await networkOfBill('0722345678')).toBe('other');
  expect(
    await runtime().db.query({
      text: "SELECT actor, action, data FROM audit_entry WHERE subject = '72' AND merchant_id IS NULL ORDER BY id",
    }),
  ).toEqual([
    { actor: actor.name, action: 'network_prefix.set', data: { before: { network: null }, after: { network: 'halotel' } } },
    { actor: actor.name, action: 'network_prefix.set', data: { before: { network: 'halotel' }, after: { network: 'ttcl' } } },
    { actor: actor.name, action: 'network_prefix.unset', data: { before: { network: 'ttcl' }, after: { network: null } } },
  ]);
});

test('an unknown network in the table counts as other', async () => {
  await runtime().db.query({ text: "INSERT INTO network_prefix (prefix, network) VALUES ('60', 'smile')" });
  expect(await findNetworkByPrefix(runtime().db, '0602345678')).toBe('other');
});
