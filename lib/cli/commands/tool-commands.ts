import { randomBytes } from 'node:crypto';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { type ApiClient, apiClient } from '@/lib/cli/api/client';
import { type Forwarded, findEvent, followEvents, forwardEvent, forwardingSecret } from '@/lib/cli/api/follow-events';
import { TRIGGERS, type Trigger, triggerEvent } from '@/lib/cli/api/trigger-event';
import { readSecretInput } from '@/lib/cli/terminal/files';
import { type JsonFlag, wholeNumber } from '@/lib/cli/terminal/options';
import { print, progress, UserError } from '@/lib/cli/terminal/output';
import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';

interface ConnectionOptions extends JsonFlag {
  readonly url: string;
  readonly keyId?: string;
  readonly secretFile?: string;
}

interface ListenOptions extends ConnectionOptions {
  readonly forwardTo: string;
  readonly since?: number;
}

interface ExpectOptions extends ConnectionOptions {
  readonly status: string;
  readonly within: number;
  readonly bill?: string;
  readonly reference?: string;
}

interface TriggerCommandOptions extends ConnectionOptions {
  readonly amount: number;
  readonly reference?: string;
  readonly within: number;
}

/**
 * If neither a bill nor a reference is given, `expect` also accepts a webhook that was sent at most this long before the command started,
 * because the expected webhook may already have been sent when the command starts.
 */
const LOOK_BACK_MS = MINUTE_MS;

/** Adds the commands for developers of a shop. They use only the API, so they need no database. */
export function addToolCommands(program: Command): void {
  const listen = program
    .command('listen')
    .description("forward a merchant's sandbox webhooks to this machine, until Ctrl-C; needs only an API key")
    .requiredOption('--forward-to <url>', 'the address of your receiver, for example http://127.0.0.1:8080/bili', address)
    .option('--since <duration>', 'begin with the events of the last minutes instead of now, for example 10m', duration);
  connected(listen).action(async (options: ListenOptions) => listenUntilSignal(await clientOf(options), options));

  const expected = program.command('expect').description('wait for something, for scripts: exits with 1 if it does not happen in time');
  const webhook = expected
    .command('webhook')
    .description('wait for a webhook of a sandbox, and print it; looks back one minute, or at all events of a bill or reference')
    .addOption(new Option('--status <status>', 'the status of the bill in the webhook').choices([...BILL_STATUSES]).makeOptionMandatory())
    .option('--within <duration>', 'how long to wait: 500ms, 5s or 2m', duration, 10 * SECOND_MS)
    .option('--bill <id>', 'only this bill')
    .option('--reference <reference>', 'only bills with this reference');
  connected(webhook).action(async (options: ExpectOptions) => expectWebhook(await clientOf(options), options));

  const trigger = program
    .command('trigger')
    .description('create a sandbox bill with a scenario, so that real webhooks are sent')
    .addArgument(new Argument('<event>', 'what happens').choices(Object.keys(TRIGGERS)))
    .option('--amount <shillings>', 'the amount of the bill', wholeNumber(1, 1_000_000), 5_000)
    .option('--reference <reference>', 'the reference of the bill')
    .option('--within <duration>', 'how long to wait for it: 30s or 2m', duration, 2 * MINUTE_MS);
  connected(trigger).action(async (event: Trigger, options: TriggerCommandOptions) =>
    triggerAndPrint(await clientOf(options), event, options),
  );
}

function connected(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'the address of the sandbox').env('BILI_URL').argParser(address).default('http://localhost:3001'))
    .addOption(new Option('--key-id <key>', 'the API key').env('BILI_KEY_ID'))
    .option('--secret-file <file>', 'a file with the API secret; "-" reads it from standard input; default: the variable BILI_SECRET');
}

async function clientOf({ url, keyId, secretFile }: ConnectionOptions): Promise<ApiClient> {
  const secret = secretFile === undefined ? process.env.BILI_SECRET : await readSecretInput(secretFile, 'API secret: ');
  return apiClient({ url, keyId, secret });
}

async function listenUntilSignal(client: ApiClient, { forwardTo, since, json }: ListenOptions): Promise<void> {
  const secret = process.env.BILI_WEBHOOK_SECRET || forwardingSecret(client.secret);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
  if (!process.env.BILI_WEBHOOK_SECRET) progress(`The signing secret of forwarded webhooks is ${secret}`);
  progress(`Forwarding the sandbox's webhooks to ${forwardTo}. Stop with Ctrl-C.`);
  const onTrouble = (trouble: string | null) => progress(trouble === null ? 'Connected again.' : `${trouble}; trying again.`);
  const from = since === undefined ? null : new Date(Date.now() - since);
  for await (const event of followEvents(client, { since: from, signal: stopping.signal, onTrouble })) {
    const forwarded = await forwardEvent(event, { url: forwardTo, secret, now: new Date() });
    process.stdout.write(`${json ? JSON.stringify({ at: event.at, ...forwarded }) : forwardedLine(event.at, forwarded)}\n`);
  }
}

/** Formats a forwarded webhook as one line. References cannot contain control characters, so printing them is safe for the terminal. */
function forwardedLine(at: Date, { bill, status, error, ms }: Forwarded): string {
  const verdict = status === null ? `no answer: ${error}` : `${status}${status >= 200 && status < 300 ? '' : ' (not accepted)'}`;
  return `${at.toISOString().slice(11, 19)} ${bill.status} ${bill.reference} -> ${verdict}, ${ms} ms`;
}

async function expectWebhook(client: ApiClient, { status, within, bill, reference, json }: ExpectOptions): Promise<void> {
  const since = bill === undefined && reference === undefined ? new Date(Date.now() - LOOK_BACK_MS) : new Date(0);
  const found = await findEvent(client, { status, billId: bill, reference, since, withinMs: within });
  if (!found) throw new UserError(`No webhook with ${status} came within ${within / SECOND_MS} seconds.`);
  print(json, { id: found.id, at: found.at, body: JSON.parse(found.body) }, [`${found.id} ${found.body}`]);
}

async function triggerAndPrint(client: ApiClient, event: Trigger, options: TriggerCommandOptions): Promise<void> {
  const { amount, within, json } = options;
  const reference = options.reference ?? `TRIGGER-${randomBytes(4).toString('hex').toUpperCase()}`;
  const { bill, done } = await triggerEvent(client, event, { amount, reference, withinMs: within });
  const { state, reason } = bill.lastAttempt ?? { state: 'no payment request', reason: null };
  print(json, bill, [`${bill.id} ${bill.reference}: ${bill.status}, ${reason ?? state}`]);
  if (!done) throw new UserError(`"${event}" did not happen within ${within / SECOND_MS} seconds.`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS };

function duration(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('It must be a duration, for example 500ms, 5s or 2m');
  return Number(number) * (UNITS[unit] ?? 1);
}

function address(text: string): string {
  if (!/^https?:/.test(URL.parse(text)?.protocol ?? '')) throw new InvalidArgumentError('It must be an http or https address');
  return text;
}
