import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCommand } from '@/lib/testing/command';
import { deliverAll } from '@/lib/testing/deliveries';
import { makeOwing } from '@/lib/testing/owing';
import { testReceiver } from '@/lib/testing/receiver';
import { testRuntime } from '@/lib/testing/runtime';
import { endpointSecret } from '@/lib/webhooks/set-endpoint';

const runtime = testRuntime();
const receiver = testReceiver();
const { bili, biliReading, json } = testCommand(runtime);

describe('bili webhook explain', () => {
  let folder = '';
  let options: readonly string[] = [];
  let body = '';
  let secret = '';
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bili-explain-'));
    const merchant = await makeOwing(runtime(), { count: 1, url: receiver.url() });
    await deliverAll(runtime());
    const [webhook] = receiver.received;
    if (!webhook) throw new Error('nothing came');
    body = webhook.body;
    secret = await endpointSecret(runtime(), merchant.scope('sandbox'));
    const headers = Object.entries(webhook.headers).map(([name, value]) => `< ${name}: ${value}\n`);
    await writeFile(file('headers'), headers.join(''));
    await writeFile(file('body'), body);
    await writeFile(file('changed'), JSON.stringify(JSON.parse(body)));
    await writeFile(file('secret'), `${secret}\n`);
    options = ['--merchant', merchant.merchant.slug, '--environment', 'sandbox', '--headers', file('headers')];
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('says that a signature is right', async () => {
    const asked = ['webhook', 'explain', ...options, '--body', file('body'), '--secret-file', file('secret')];
    expect(await bili(...asked)).toEqual({
      code: 0,
      stdout: 'The signature is right: body, headers and secret belong together.\n',
      stderr: '',
    });
  });

  test('says what differs', async () => {
    const asked = ['webhook', 'explain', ...options, '--body', file('changed'), '--secret-file', file('secret'), '--computed', 'x'];
    expect(await json(...asked)).toMatchObject({
      verdict: 'body_reserialized',
      findings: [
        { code: 'body_reserialized', text: expect.stringContaining('before JSON is parsed') },
        { code: 'body_number_rewritten', data: { sent: '5000.0', received: '5000' } },
        { code: 'body_differs' },
        { code: 'computed_unreadable' },
      ],
    });
    const { stdout } = await bili(...asked);
    expect(stdout).toContain('\n- A number was written differently: 5000.0 became 5000.\n');
    expect(stdout).not.toContain(secret);
  });

  test('reads the secret from standard input', async () => {
    const asked = ['webhook', 'explain', ...options, '--body', file('body'), '--secret-file', '-'];
    expect((await bili(...asked)).stdout).toContain('The secret is empty.');
    expect((await biliReading(`${secret}\n`, ...asked)).stdout).toContain('The signature is right');
  });

  test('needs files that are there, and a merchant', async () => {
    const missing = ['webhook', 'explain', ...options, '--body', file('none'), '--secret-file', file('secret')];
    expect(await bili(...missing)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The file .*none cannot be read: .*\n$/),
    });
    const folderAsFile = ['webhook', 'explain', ...options, '--body', folder, '--secret-file', file('secret')];
    expect(await bili(...folderAsFile)).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read') });
    expect(await bili('webhook', 'explain', ...options, '--body', file('body'))).toMatchObject({ code: 2 });
  });
});
