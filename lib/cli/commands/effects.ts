import { type Command, Option } from 'commander';
import { thisOperator } from '@/lib/cli/terminal/operator';
import { words } from '@/lib/cli/terminal/options';
import { UserError } from '@/lib/cli/terminal/output';
import { UnknownOperatorError } from '@/lib/identity/audit/record-entry';
import { isUnknownOperator } from '@/lib/platform/core/actor';
import { PROVIDERS } from '@/lib/providers/registry';

/**
 * What a command may do at most.
 * - `reads`: changes nothing and prints no secret of a merchant.
 * - `runs`: runs processes of the product, or applies migrations. Machines do this, so no person is named.
 * - `sandbox`: changes only the sandbox.
 * - `live`: may change live data. A person must be named.
 * - `access`: changes who gets into an account, prints a secret that gives access, or prints or erases what is stored about a person. A
 *   person must be named, with a reason.
 *
 * With `--environment sandbox`, `live` and `access` need neither.
 */
export type Effect = 'reads' | 'runs' | 'sandbox' | 'live' | 'access';

/** The effect of every command. The program does not start with a command that is missing here. */
export const EFFECTS: Readonly<Record<string, Effect>> = {
  migrate: 'runs',
  'database copy': 'runs',
  'database move': 'live',
  'database upgrade': 'live',
  'merchant create': 'live',
  'merchant list': 'reads',
  'merchant activate': 'live',
  'merchant suspend': 'live',
  'merchant close': 'live',
  'merchant unique-references': 'live',
  'merchant issue-instruments': 'live',
  'merchant brand': 'live',
  'merchant partial-payments': 'live',
  'merchant return-origins': 'live',
  'key create': 'access',
  'key list': 'reads',
  'key roll': 'access',
  'key revoke': 'live',
  'webhook set': 'access',
  'webhook show': 'reads',
  'webhook list': 'reads',
  'webhook secret': 'access',
  'webhook rotate': 'access',
  'webhook pause': 'live',
  'webhook resume': 'live',
  'webhook proposals': 'reads',
  'webhook approve': 'live',
  'webhook refuse': 'live',
  'webhook explain': 'reads',
  'webhook test': 'live',
  'webhook check': 'sandbox',
  'deliveries list': 'reads',
  'deliveries show': 'reads',
  'deliveries redeliver': 'live',
  'deliveries redeliver-many': 'live',
  'deliveries runs': 'reads',
  'deliveries run': 'reads',
  'deliveries cancel': 'live',
  'provider add': 'live',
  'provider fields': 'reads',
  'provider list': 'reads',
  'provider test': 'reads',
  'provider update': 'live',
  'provider route': 'live',
  'provider prompt-name': 'live',
  'provider disable': 'live',
  'bill close': 'live',
  'bill reopen': 'live',
  'payment unmatched': 'reads',
  'payment show': 'reads',
  'payment record': 'live',
  'payment allocate': 'live',
  'payment correct': 'live',
  'payment move': 'live',
  'payment refund-outside': 'live',
  'payment reverse': 'live',
  'payment reversals': 'reads',
  'payment settle-reversal': 'live',
  'attempt unknown': 'reads',
  'attempt ask': 'live',
  'attempt release': 'live',
  'attempt settle': 'live',
  'review list': 'reads',
  'review resolve': 'live',
  reconcile: 'live',
  'reconciliation list': 'reads',
  'reconciliation show': 'reads',
  'reconciliation export': 'reads',
  'mail test': 'reads',
  'mail list': 'reads',
  'overview rebuild': 'runs',
  'backup make': 'runs',
  'backup key': 'reads',
  'backup list': 'reads',
  'backup drill': 'runs',
  restore: 'live',
  doctor: 'reads',
  'secrets list': 'reads',
  'secrets rotate': 'live',
  'secrets renew': 'access',
  'secrets lost': 'access',
  'hold show': 'reads',
  'hold start': 'live',
  'hold end': 'live',
  'audit verify': 'reads',
  'audit head': 'reads',
  'demo seed': 'sandbox',
  'network list': 'reads',
  'network set': 'live',
  'network unset': 'live',
  'number list': 'reads',
  'number block': 'live',
  'number allow': 'live',
  'number export': 'access',
  'number erase': 'access',
  'user reset-password': 'access',
  'user invite': 'access',
  'user reset-link': 'access',
  'user change-email': 'access',
  'user remove-second-factor': 'access',
  'user end-sessions': 'access',
  listen: 'sandbox',
  'expect webhook': 'reads',
  trigger: 'sandbox',
  start: 'runs',
  dev: 'runs',
  web: 'runs',
  worker: 'runs',
  prepare: 'runs',
  'simulate statement': 'runs',
  ...Object.fromEntries(PROVIDERS.map(({ name }) => [`simulate ${name}`, 'runs'] as const)),
};

/**
 * Makes every command check before it starts that a person is named and that there is a reason, if its effect needs them. Adds `--reason`
 * to the commands that need it, and to those that may store it. Throws if a command has no effect in the table, because that is a bug.
 */
export function addEffects(parent: Command, path: readonly string[] = []): void {
  for (const command of parent.commands) {
    const here = [...path, command.name()];
    if (command.commands.length > 0) {
      addEffects(command, here);
      continue;
    }
    const effect = Object.hasOwn(EFFECTS, here.join(' ')) ? EFFECTS[here.join(' ')] : undefined;
    if (!effect) throw new Error(`the effect of "${here.join(' ')}" is not declared`);
    const [changes, needsReason] = [effect === 'live' || effect === 'access', effect === 'access'];
    if (changes && !command.options.some(({ long }) => long === '--reason')) addReason(command, needsReason);
    command.hook('preAction', (_command, action) => {
      const { as, reason, environment } = action.optsWithGlobals<{ as?: string; reason?: string; environment?: string }>();
      if (as !== undefined) process.env.BILI_OPERATOR = as;
      delete process.env.BILI_REASON;
      if (reason !== undefined) process.env.BILI_REASON = reason;
      if (!changes || environment === 'sandbox') return;
      if (isUnknownOperator(thisOperator())) throw new UnknownOperatorError();
      if (needsReason && reason === undefined) throw new UserError('This needs a reason in live: add --reason <text> for the audit log.');
    });
  }
}

function addReason(command: Command, needed: boolean): void {
  const option = new Option('--reason <text>', 'the reason, for the audit log').argParser(words);
  const inBoth = command.options.some(({ long }) => long === '--environment');
  if (needed && inBoth) option.description = 'the reason, for the audit log; required in live';
  command.addOption(option.makeOptionMandatory(needed && !inBoth));
}
