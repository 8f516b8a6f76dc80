import { type Command, Option } from 'commander';
import { showEndpoint, showEndpoints } from '@/lib/backoffice/delivery-log/show-endpoint';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { needAccess, operatorResult, valueOrRefusal } from '@/lib/cli/terminal/operator';
import { type JsonFlag, jsonOption, needScope, type ScopeOptions, scopeCommand, wholeNumber } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { type PauseRefusal, pauseEndpoint, resumeEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { rotateSecret } from '@/lib/gateway/webhooks/endpoint/rotate-secret';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { revealSecrets } from '@/lib/gateway/webhooks/endpoint/show-secrets';
import { HOUR_MS } from '@/lib/platform/core/clock';
import { ENVIRONMENTS, type Environment } from '@/lib/platform/core/scope';
import { at, describeEndpoint, describeSetStatus, describeStatus } from './webhook-view';

const OVERLAP_HOURS = 24;
const OVERLAP_MOST_HOURS = 30 * 24;

const PAUSE_REFUSALS: Readonly<Record<PauseRefusal, string>> = {
  no_address: 'There is no webhook address to pause or resume. "bili webhook set" sets one.',
  not_active: 'The endpoint is already paused or disabled. "bili webhook show" shows since when.',
};

export function addWebhookCommands(webhooks: Command): void {
  addSet(webhooks);
  addShow(webhooks);
  addSecrets(webhooks);
  addPause(webhooks);
}

/** Adds a command for the endpoint of one merchant and environment. */
function ofEndpoint(webhooks: Command, name: string, description: string): Command {
  return scopeCommand(webhooks, name, description).addOption(jsonOption());
}

function addSet(webhooks: Command): void {
  ofEndpoint(webhooks, 'set', 'set the address for webhooks; prints the signing secret')
    .requiredOption('--url <url>', 'the address that receives webhooks')
    .action(async ({ url, json, ...options }: ScopeOptions & { url: string }) => {
      const set = await withRuntime(async (runtime) => setEndpoint(runtime, await needAccess(runtime, options), url));
      if (!set.ok) throw new UserError(`The address was not set: ${set.error}.`);
      const { url: address, secret, endpointStatus: status } = set.value;
      print(json, { url: address, secret, environment: options.environment, status }, [
        `Webhooks go to ${address}`,
        `Signing secret: ${secret}`,
        describeSetStatus(status, options),
      ]);
    });
}

function addShow(webhooks: Command): void {
  ofEndpoint(webhooks, 'show', 'show the webhook address, its health and the waiting deliveries').action(
    async ({ json, ...options }: ScopeOptions) => {
      const shown = await withRuntime(async (runtime) => showEndpoint(runtime, await needScope(runtime, options)));
      print(json, shown, describeEndpoint(shown));
    },
  );
  webhooks
    .command('list')
    .description('list all webhook addresses, failing ones first')
    .addOption(new Option('--environment <environment>', 'only endpoints of this environment').choices([...ENVIRONMENTS]))
    .action(async ({ environment, json }: JsonFlag & { environment?: Environment }) => {
      const found = await withRuntime((runtime) => showEndpoints(runtime, environment ?? null));
      const lines = found.map((one) => `${one.merchant}  ${one.environment}  ${one.url}  ${describeStatus(one)}`);
      printList(json, found, lines, 'No merchant has a webhook address.');
    });
}

function addSecrets(webhooks: Command): void {
  ofEndpoint(webhooks, 'secret', 'show the signing secret; during a rotation both secrets').action(
    async ({ json, ...options }: ScopeOptions) => {
      const found = operatorResult(await withRuntime(async (runtime) => revealSecrets(runtime, await needAccess(runtime, options))));
      const { secret, previous } = found;
      print(json, found, [secret, ...(previous ? [`${previous.secret}  (also used until ${at(previous.until)})`] : [])]);
    },
  );
  ofEndpoint(webhooks, 'rotate', 'create a new signing secret; webhooks are signed with both secrets during the overlap')
    .addOption(
      new Option('--overlap-hours <hours>', 'how long the old secret is also used; 0 if it has leaked')
        .argParser(wholeNumber(0, OVERLAP_MOST_HOURS))
        .default(OVERLAP_HOURS),
    )
    .action(async ({ overlapHours, json, ...options }: ScopeOptions & { overlapHours: number }) => {
      const rotated = await withRuntime(async (runtime) => {
        return rotateSecret(runtime, await needAccess(runtime, options), { ms: overlapHours * HOUR_MS });
      });
      if (!rotated.ok) {
        const { error } = rotated;
        if (error.code !== 'overlap_running') throw new Error(`a rotation was refused: ${error.code}`);
        throw new UserError(
          `The secret was rotated before. Both secrets are used until ${at(error.until)}. To end this now, use --overlap-hours 0.`,
        );
      }
      const { secret, previousUntil } = rotated.value;
      const before = previousUntil ? `is also used until ${at(previousUntil)}` : 'is no longer used';
      print(json, rotated.value, [`Signing secret: ${secret}`, `The old secret ${before}.`]);
    });
}

function addPause(webhooks: Command): void {
  ofEndpoint(webhooks, 'pause', 'stop sending webhooks until "bili webhook resume"; deliveries wait').action(
    async ({ json, ...options }: ScopeOptions) => {
      const paused = await withRuntime(async (runtime) => pauseEndpoint(runtime, await needAccess(runtime, options)));
      valueOrRefusal(paused, PAUSE_REFUSALS);
      print(json, { paused: true }, ['Paused. New deliveries wait until the endpoint is resumed.']);
    },
  );
  ofEndpoint(webhooks, 'resume', 'send the waiting deliveries of a paused, disabled or failing endpoint now').action(
    async ({ json, ...options }: ScopeOptions) => {
      const { resumed, waiting } = await withRuntime(async (runtime) => {
        const access = await needAccess(runtime, options);
        const done = await resumeEndpoint(runtime, access);
        return { resumed: done, waiting: (await showEndpoint(runtime, access.scope)).waiting };
      });
      valueOrRefusal(resumed, PAUSE_REFUSALS);
      print(json, { resumed: true, waiting }, [`Resumed. ${waiting} deliveries are waiting.`]);
    },
  );
}
