import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { testCommand } from '@/testing/command';
import { deliverAll } from '@/testing/data/deliveries';
import { makeOwing } from '@/testing/data/due-deliveries';
import { endpointSecret } from '@/testing/data/endpoint-secret';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const receiver = testReceiver();
const { bili, biliReading, json } = testCommand(runtime);

describe('bili webhook test', () => {
  const shop = async (url = receiver.url()) => {
    const made = await makeMerchant(runtime());
    await setEndpoint(runtime(), made.operator('sandbox'), url);
    return made.merchant.slug;
  };

  test('sends one webhook and prints the result', async () => {
    receiver.answer(ok);
    const slug = await shop();
    expect(await json('webhook', 'test', '--merchant', slug, '--environment', 'sandbox', '--status', 'PARTIALLY_PAID')).toMatchObject({
      url: receiver.url(),
      reference: expect.stringMatching(/^TEST-/),
      billStatus: 'PARTIALLY_PAID',
      status: 200,
      failure: null,
      trace: { address: '127.0.0.1', totalMs: expect.any(Number) },
      text: expect.stringMatching(/^Your server accepted the test webhook with 200 after \d+ ms: thanks$/),
    });
    receiver.answer((_request, response) => response.writeHead(404).end());
    expect(await bili('webhook', 'test', '--merchant', slug, '--environment', 'sandbox')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`(FULLY_PAID) to ${receiver.url()}\n`),
      stderr: 'The test was not accepted.\n',
    });
  });

  test('explains why none is sent', async () => {
    const slug = await shop();
    expect(await bili('webhook', 'test', '--merchant', slug, '--environment', 'live')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No endpoint URL is set yet.\n',
    });
    expect(await bili('webhook', 'test', '--merchant', slug, '--environment', 'live', '--status', 'PAID')).toMatchObject({ code: 2 });
  });
});

describe('bili webhook check', () => {
  test('exits with 1 if the receiver fails a test, otherwise with 0', async () => {
    const made = await makeMerchant(runtime());
    const check = ['webhook', 'check', '--merchant', made.merchant.slug];
    expect(await bili(...check)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No endpoint URL is set yet.'),
    });
    await setEndpoint(runtime(), made.operator('sandbox'), receiver.url());
    const secret = await endpointSecret(runtime(), made.scope('sandbox'));

    receiver.answer(ok);
    const { code, stdout, stderr } = await bili(...check);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('The receiver failed 2 of 7 steps.') });
    expect(stdout).toContain(
      'FAILED   A webhook signed with another secret\n         Your server returned 200 for a webhook that we did not sign',
    );
    expect(stdout).toContain('WARNING  A webhook that is one hour old\n');

    receiver.answer((request, response) => {
      try {
        new Webhook(secret).verify(request.body, request.headers);
        response.end();
      } catch {
        response.writeHead(401).end();
      }
    });
    const right = await bili(...check, '--json');
    expect(right.code).toBe(0);
    expect(JSON.parse(right.stdout)).toMatchObject({
      url: receiver.url(),
      billIds: { length: 4 },
      steps: [
        { step: 'good', outcome: 'passed', text: 'Your server accepted the webhook.' },
        ...Array.from({ length: 6 }, () => ({ outcome: 'passed' })),
      ],
    });
  });
});

describe('bili webhook explain', () => {
  let folder = '';
  let options: readonly string[] = [];
  let body = '';
  let secret = '';
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bili-explain-'));
    receiver.received.length = 0;
    receiver.answer(ok);
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

  test('confirms a correct signature', async () => {
    const command = ['webhook', 'explain', ...options, '--body', file('body'), '--secret-file', file('secret')];
    expect(await bili(...command)).toEqual({
      code: 0,
      stdout: 'The signature is correct: body, headers and secret match.\n',
      stderr: '',
    });
  });

  test('explains what differs', async () => {
    const command = ['webhook', 'explain', ...options, '--body', file('changed'), '--secret-file', file('secret'), '--computed', 'x'];
    expect(await json(...command)).toMatchObject({
      verdict: 'body_reserialized',
      findings: [
        { code: 'body_reserialized', text: expect.stringContaining('before JSON is parsed') },
        { code: 'body_differs', data: { sent: expect.stringContaining('5000.0') } },
        { code: 'computed_unreadable' },
      ],
    });
    const { stdout } = await bili(...command);
    expect(stdout).toContain('\n- The first different character is number ');
    expect(stdout).not.toContain(secret);
  });

  test('reads the secret from standard input', async () => {
    const command = ['webhook', 'explain', ...options, '--body', file('body'), '--secret-file', '-'];
    expect((await bili(...command)).stdout).toContain('This is not a signing secret.');
    expect((await biliReading(`${secret}\n`, ...command)).stdout).toContain('The signature is correct');
  });

  test('refuses missing files and unknown merchants', async () => {
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
