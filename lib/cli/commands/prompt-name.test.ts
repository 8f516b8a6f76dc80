import { expect, test } from 'vitest';
import { testCommand } from '@/testing/command';
import { testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';

async function stored(): Promise<string | null | undefined> {
  const [row] = await runtime().db.query<{ name: string | null }>(
    { text: 'SELECT prompt_name AS name FROM provider_account WHERE id = $1' },
    [SANDBOX_ACCOUNT],
  );
  return row?.name;
}

test('the name that prompts show is set, listed and removed, and each change is in the audit log', async () => {
  expect(await json('provider', 'prompt-name', SANDBOX_ACCOUNT, ' SELCOM \u202e PAYTECH ')).toEqual({
    id: SANDBOX_ACCOUNT,
    promptName: 'SELCOM PAYTECH',
  });
  expect(await stored()).toBe('SELCOM PAYTECH');
  expect(await bili('provider', 'list')).toMatchObject({ stdout: expect.stringContaining('  prompts show the name "SELCOM PAYTECH"\n') });
  expect(await json('provider', 'prompt-name', SANDBOX_ACCOUNT, '--none')).toEqual({ id: SANDBOX_ACCOUNT, promptName: null });
  expect(await stored()).toBeNull();
  const entries = await runtime().db.query({
    text: "SELECT data FROM audit_entry WHERE action = 'provider_account.prompt_name_set' ORDER BY at, id",
  });
  expect(entries).toEqual([{ data: { promptName: 'SELCOM PAYTECH' } }, { data: { promptName: null } }]);
});

test.each([
  [[SANDBOX_ACCOUNT], 'Give either a name or --none.'],
  [[SANDBOX_ACCOUNT, 'A', '--none'], 'Give either a name or --none.'],
  [[SANDBOX_ACCOUNT, ' \n '], 'The name is empty.'],
  [[SANDBOX_ACCOUNT, 'A'.repeat(41)], 'The name is longer than 40 characters.'],
  [['nobody', 'A'], 'There is no active account nobody; "bili provider list" shows all.'],
])('prompt-name %j is refused', async (args, problem) => {
  expect(await bili('provider', 'prompt-name', ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
});
