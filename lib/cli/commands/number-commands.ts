import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Erasure, eraseNumber, exportNumber, type LeftReason } from '@/lib/backoffice/personal-data/erase-number';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator';
import { environmentOption, type JsonFlag, words } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { setPrefix, unsetPrefix } from '@/lib/gateway/networks/change-prefix';
import { listPrefixes } from '@/lib/gateway/networks/store';
import { allowNumber, type BlockRefusal, blockNumber } from '@/lib/gateway/refusals/block-number';
import { codeExpiry, expiredSince } from '@/lib/gateway/refusals/rules';
import { listRefusals, type Refusal } from '@/lib/gateway/refusals/store';
import { type Mobile, readMobile } from '@/lib/platform/core/mobile';
import {
  isNetwork,
  type Network,
  OPERATED_NETWORKS,
  type OperatedNetwork,
  type Prefix,
  parsePrefix,
  WALLETS,
} from '@/lib/platform/core/network';
import { ENVIRONMENTS, type Environment } from '@/lib/platform/core/scope';

interface NumberOptions extends JsonFlag {
  readonly environment: Environment;
  readonly mobile: Mobile;
}

function needMobile(text: string): Mobile {
  const mobile = readMobile(text);
  if (mobile === null) throw new InvalidArgumentError('It must be a Tanzanian mobile number, for example 0712345678');
  return mobile;
}

const mobileOption = () => new Option('--mobile <number>', 'the mobile number').argParser(needMobile).makeOptionMandatory();

/** What `number erase` has left, and why. */
const LEFT: Readonly<Record<LeftReason, string>> = {
  open_attempt: 'payment requests without a result, and their bills. Erase the number again when they have one',
  open_refund: 'payments with a refund in progress. Erase the number again when it has ended',
  open_message: 'provider messages that are not applied yet. Erase the number again when they are',
  reference: 'bills whose reference contains the number. The merchant has chosen it',
  refusal: 'blocks of the number, or requests for one. A block needs the number: "bili number allow" ends it',
  cashier: 'accounts or invitations of a cashier with this number. The merchant removes the cashier',
  merchant: 'merchants that show the number as their contact. The merchant changes it',
  audit: 'entries of the audit log. They are kept as evidence',
};

const codeOption = () =>
  new Option('--code <code>', 'the code that the payment page showed to the owner').argParser((text): string => {
    const code = text.replace(/\s/g, '');
    if (!/^\d{6}$/.test(code)) throw new InvalidArgumentError('It must be six digits');
    return code;
  });

const SENTENCES: Readonly<Record<BlockRefusal, string>> = {
  not_requested: 'Nobody has requested this on the payment page, so there is no code. To block the number anyway, leave out --code.',
  code_wrong: 'This is not the code for this number. "bili number list" shows the right one.',
  code_expired: 'The code has expired. The owner can get a new one on the payment page.',
  already_blocked: 'The number is already blocked.',
};

export function addNumberCommands(numbers: Command): void {
  numbers
    .command('list')
    .description('list blocked numbers and requests to block one')
    .addOption(new Option('--environment <environment>', 'only live or only sandbox').choices([...ENVIRONMENTS]))
    .option('--all', 'include expired requests and unblocked numbers', false)
    .action(async ({ environment, all, json }: JsonFlag & { environment?: Environment; all: boolean }) => {
      const found = await withRuntime((runtime) =>
        listRefusals(runtime.db, { environment: environment ?? null, all, expired: expiredSince(runtime.clock()) }),
      );
      printList(json, found, found.map(describe), 'No number is blocked, and nobody has requested it.');
    });
  numbers
    .command('block')
    .description('block a number, so that it never gets a prompt; first make sure that the caller calls from this number')
    .addOption(environmentOption())
    .addOption(mobileOption())
    .addOption(codeOption())
    .option('--reason <text>', 'the reason, for the records', words)
    .action(async ({ environment, mobile, code, reason, json }: NumberOptions & { code?: string; reason?: string }) => {
      const blocked = await withRuntime((runtime) =>
        blockNumber(runtime, { environment, mobile, code: code ?? null, reason: reason ?? null, actor: runtime.actor }),
      );
      valueOrRefusal(blocked, SENTENCES);
      print(json, { environment, mobile, state: 'ACTIVE' }, [`${mobile} no longer gets prompts in ${environment}.`]);
    });
  numbers
    .command('allow')
    .description('unblock a number, or decline a request to block it')
    .addOption(environmentOption())
    .addOption(mobileOption())
    .action(async ({ environment, mobile, json }: NumberOptions) => {
      const previous = await withRuntime((runtime) => allowNumber(runtime, { environment, mobile, actor: runtime.actor }));
      if (previous === null) throw new UserError(`${mobile} is not blocked in ${environment}, and nobody has requested it.`);
      print(json, { environment, mobile, state: 'LIFTED', previous }, [
        previous === 'ACTIVE' ? `${mobile} can be prompted in ${environment} again.` : `The request to block ${mobile} is declined.`,
      ]);
    });
  numbers
    .command('export')
    .description('print everything that is stored about a number, over all merchants and both environments, as JSON')
    .argument('<number>', 'the mobile number', needMobile)
    .action(async (mobile: Mobile) => {
      print(true, await withRuntime((runtime) => exportNumber(runtime, { mobile, actor: runtime.actor })), []);
    });
  numbers
    .command('erase')
    .description('erase what is stored about a number, over all merchants and both environments; this cannot be undone')
    .argument('<number>', 'the mobile number', needMobile)
    .action(async (mobile: Mobile, { json }: JsonFlag) => {
      const erasure = await withRuntime((runtime) => eraseNumber(runtime, { mobile, actor: runtime.actor }));
      print(json, erasure, describeErasure(erasure));
    });
}

function describeErasure({ pseudonym, erased, left }: Erasure): string[] {
  const { bills, attempts, payments, messages } = erased;
  return [
    `The number is erased. Bills: ${bills}. Payment requests: ${attempts}. Payments: ${payments}. Provider messages: ${messages}.`,
    `Its pseudonym is ${pseudonym}.`,
    ...left.map(({ reason, count }) => `Left (${count}): ${LEFT[reason]}.`),
  ];
}

function describe({ environment, mobile, state, code, reason, requestedAt, decidedAt, decidedBy }: Refusal): string {
  const since =
    decidedAt === null
      ? `requested ${requestedAt.toISOString()}, code ${code}, valid until ${codeExpiry(requestedAt).toISOString()}`
      : `by ${decidedBy} ${decidedAt.toISOString()}`;
  return `${mobile}  ${environment}  ${state}  ${since}${reason === null ? '' : `  ${reason}`}`;
}

const prefixOption = () =>
  new Option('--prefix <prefix>', 'the two digits after the leading zero').argParser((text): Prefix => {
    const prefix = parsePrefix(text);
    if (prefix === null) throw new InvalidArgumentError('It must be two digits, the first of which is 6 or 7');
    return prefix;
  });

export function addNetworkCommands(networks: Command): void {
  networks
    .command('list')
    .description('list the prefixes and their networks')
    .action(async ({ json }: JsonFlag) => {
      const rows = await withRuntime((runtime) => listPrefixes(runtime.db));
      const views = rows.map(({ prefix, network }) => ({ prefix, network, wallet: isNetwork(network) ? WALLETS[network] : null }));
      const lines = views.map(({ prefix, network, wallet }) => `0${prefix}  ${network}  ${wallet ?? 'not known to this version'}`);
      printList(json, views, lines, 'No prefix is assigned to a network.');
    });
  networks
    .command('set')
    .description('assign a prefix to a network; the next prompt uses it')
    .addOption(prefixOption().makeOptionMandatory())
    .addOption(new Option('--network <network>', 'the network').choices([...OPERATED_NETWORKS]).makeOptionMandatory())
    .action(async ({ prefix, network, json }: JsonFlag & { prefix: Prefix; network: OperatedNetwork }) => {
      const previous = await withRuntime((runtime) => setPrefix(runtime, { prefix, network, actor: runtime.actor }));
      const before = previous === null || previous === network ? '' : ` (before: ${previous})`;
      print(json, { prefix, network, previous }, [`Numbers that start with 0${prefix} now belong to ${network}${before}.`]);
    });
  networks
    .command('unset')
    .description('remove a prefix from its network')
    .addOption(prefixOption().makeOptionMandatory())
    .action(async ({ prefix, json }: JsonFlag & { prefix: Prefix }) => {
      const previous = await withRuntime((runtime) => unsetPrefix(runtime, { prefix, actor: runtime.actor }));
      if (previous === null)
        throw new UserError(`The prefix ${prefix} is not assigned to a network. "bili network list" shows all assigned prefixes.`);
      const network: Network = 'other';
      print(json, { prefix, network, previous }, [`Numbers that start with 0${prefix} now belong to no network (before: ${previous}).`]);
    });
}
