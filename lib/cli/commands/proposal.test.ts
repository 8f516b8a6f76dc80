import { beforeEach, expect, test } from 'vitest';
import { saveProposal } from '@/lib/gateway/webhooks/endpoint/proposal-store';
import { testCommand } from '@/testing/command';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

// The tests start many commands, which takes time on a busy machine.
const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
const URL = "https://shop.example.com/bili?x=$(id)&y=it's";
const STORED = 'https://shop.example.com/bili?x=$(id)&y=it%27s';
let shop: TestMerchant;

beforeEach(async () => {
  await runtime().db.query({ text: 'DELETE FROM webhook_proposal' });
  shop = await makeMerchant(runtime());
  const proposedAt = new Date('2026-11-25T10:00:00Z');
  await saveProposal(runtime().db, shop.scope('live'), { url: STORED, proposedBy: 'user:asha@example.com', proposedAt });
});

const of = (url: string) => ['--merchant', shop.merchant.slug, '--url', url];
const shown = () => json('webhook', 'show', '--merchant', shop.merchant.slug, '--environment', 'live');

test('open proposals are listed with the commands that decide them, quoted for the shell', async () => {
  const { slug } = shop.merchant;
  expect(await bili('webhook', 'proposals')).toEqual({
    code: 0,
    stderr: '',
    stdout: `${slug}  ${STORED}  proposed 2026-11-25T10:00:00.000Z by user:asha@example.com
  bili webhook approve --merchant ${slug} --url '${STORED}'
  bili webhook refuse --merchant ${slug} --url '${STORED}' --reason '…'
`,
  });
  expect(await json('webhook', 'proposals')).toMatchObject([{ merchant: slug, url: STORED, proposedBy: 'user:asha@example.com' }]);
});

test('a proposal is approved only with exactly its address', async () => {
  expect(await bili('webhook', 'approve', ...of('https://shop.example.com/other'))).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The address was not approved: it is not the address of the open proposal. "bili webhook proposals" lists the open proposals.\n',
  });
  expect(await shown()).toMatchObject({ url: null });
  expect(await json('webhook', 'approve', ...of(URL))).toEqual({ url: STORED, approved: true, status: 'active' });
  expect(await shown()).toMatchObject({ url: STORED });
  expect(await bili('webhook', 'proposals')).toMatchObject({ stdout: 'No address waits for approval.\n' });
});

test('a proposal is refused with a reason, and the address stays', async () => {
  expect(await bili('webhook', 'refuse', ...of(URL))).toMatchObject({ code: 2, stderr: expect.stringContaining('--reason') });
  expect(await bili('webhook', 'refuse', ...of('https://shop.example.com/other'), '--reason', 'no')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is not the address of the open proposal'),
  });
  expect(await json('webhook', 'refuse', ...of(URL), '--reason', 'Not your domain')).toEqual({ url: URL, refused: true });
  expect(await shown()).toMatchObject({ url: null });
  expect(await json('webhook', 'proposals')).toEqual([]);
});
