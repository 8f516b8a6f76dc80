import type { Command, Option } from 'commander';
import { KINDS, PERSONAL_COLUMNS, TABLE_RULES } from '@/lib/backoffice/personal-data/personal-columns';
import { WEBHOOK_RETRY_MS } from '@/lib/gateway/webhooks/rules';
import { describeSettings } from '@/lib/platform/config/describe-settings';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { WALLETS } from '@/lib/platform/core/network';
import type { Locale } from '@/lib/platform/i18n/locale';
import { listMetrics } from '@/lib/platform/metrics/definitions';
import type { ProviderManifest } from '@/lib/providers/kit/manifest';
import { PROVIDERS } from '@/lib/providers/registry';

/** Common options, which the text above the table explains. */
const COMMON = ['--json', '--help', '--as'];

export function settingsTable(): string {
  const rows = describeSettings().map(({ name, absent, text }) => [`\`${name}\``, absent, text]);
  return table(['setting', 'default', 'meaning'], rows);
}

export function commandsTable(program: Command): string {
  const rows = leaves(program, []).map(({ command, path }) => [`\`${usage(command, path)}\``, command.description()]);
  return table(['command', 'what it does'], rows);
}

export function metricsTable(): string {
  const rows = listMetrics().map(([name, { type, from, help, labels = {}, aggregator = 'sum' }]) => [
    `\`${name}\``,
    type,
    from === 'both' ? 'web, worker' : from,
    Object.entries(labels).reduce((text, [label, values]) => `${text}<br>\`${label}\`: ${values}`, help),
    aggregator,
  ]);
  return table(['metric', 'type', 'process', 'meaning and labels', 'several processes'], rows);
}

/** Returns the table of the README: the providers, with the wallets that they reach. */
export function providersTable(): string {
  const link = ({ name, label }: ProviderManifest) => `[${label}](docs/providers/${name}.md)`;
  const wallets = ({ capabilities: { networks } }: ProviderManifest) =>
    networks.length === 1 ? 'their own' : networks.map((network) => WALLETS[network]).join(', ');
  return table(['providers', 'wallets'], groupProviders(link, wallets));
}

/** Returns the table of docs/security.md: the cryptography that providers demand. */
export function cryptographyTable(): string {
  const cells = ({ facts: { cryptography } }: ProviderManifest) => `${cryptography.algorithm} | ${cryptography.key}`;
  const rows = groupProviders(({ label }) => label, cells).map(([names = '', both = '']) => [names, ...both.split(' | ')]);
  return table(['providers', 'algorithm', 'key'], rows);
}

/** Returns the table of the kinds of personal data, and the one of all columns that contain some. */
export function personalDataTables(): string {
  const kinds = table(['kind', 'meaning'], Object.entries(KINDS));
  const rows = PERSONAL_COLUMNS.map(({ table: name, column, kind }) => {
    const { why = '', keep = '' } = TABLE_RULES[name] ?? {};
    return [`\`${name}\``, `\`${column}\``, kind, why, /^[A-Z_]+$/.test(keep) ? `\`${keep}\`` : keep];
  });
  return `${kinds}\n${table(['table', 'column', 'kind', 'why it is kept', 'how long'], rows)}`;
}

const RETRIES: Readonly<Record<Locale, (pauses: string, total: string) => string>> = {
  en: (pauses, total) =>
    `A webhook that is not acknowledged is sent again after ${pauses}, then once a day, up to about ${total} after the first attempt.\n`,
  sw: (pauses, total) =>
    `Webhook ambayo haijapokelewa inatumwa tena baada ya ${pauses}, kisha mara moja kwa siku, hadi takriban ${total} tangu jaribio la kwanza.\n`,
};

/** Returns the paragraph about the retries of webhooks. */
export function retriesText(locale: Locale): string {
  const pauses = WEBHOOK_RETRY_MS.filter((pause) => pause < DAY_MS).map((pause) => formatDuration(pause, locale));
  const days = Math.round(WEBHOOK_RETRY_MS.reduce((sum, pause) => sum + pause, 0) / DAY_MS);
  return RETRIES[locale](new Intl.ListFormat(locale).format(pauses), formatDuration(days * DAY_MS, locale));
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/** Returns a duration in its largest unit that gives a whole number, for example "10 minutes". */
function formatDuration(ms: number, locale: Locale): string {
  const [unit, size] = UNITS.find(([, one]) => ms % one === 0) ?? ['second', SECOND_MS];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(ms / size);
}

/** Returns a row for each different value: the providers with this value, and the value. */
function groupProviders(nameOf: (provider: ProviderManifest) => string, cellsOf: (provider: ProviderManifest) => string): string[][] {
  return [...Map.groupBy(PROVIDERS, cellsOf)].map(([value, providers]) => [providers.map(nameOf).join(', '), value]);
}

/** Returns `.env.example`: all settings as comments, with their defaults. */
export function envExample(): string {
  const settings = describeSettings().filter(({ internal }) => !internal);
  // Links lead nowhere in a comment. Their text names the section.
  const plain = (text: string) => text.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '"$1"');
  const parts = settings.map(({ name, value, text }) => `${wrap(plain(text))}\n#${name}=${value}\n`);
  return `${ENV_HEADER}\n${parts.join('\n')}`;
}

const ENV_HEADER = `# Settings of Bili, with their defaults. Generated by "npm run docs"; docs/operating.md has the same as a table.
#
# Bili reads environment variables and no file. Copy this file, remove the "#" before what you want to set, and give the copy
# to systemd (EnvironmentFile=), to Docker Compose (env_file:), or to your shell (set -a; . ./bili.env; set +a).
# Never commit the copy: it may contain SECRET_KEY and passwords.
`;

/** Replaces the text between two marker comments. Throws unless each marker occurs exactly once. */
export function replaceBetween(document: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [before, rest, ...tooMany] = document.split(begin);
  const [, after, ...more] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined || tooMany.length + more.length > 0) {
    throw new Error(`the document needs ${begin} and ${end} once each, in this order`);
  }
  return `${before}${begin}\n\n${content}\n${end}${after}`;
}

interface Leaf {
  readonly command: Command;
  readonly path: readonly string[];
}

function leaves(parent: Command, path: readonly string[]): Leaf[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => {
      const here = [...path, command.name()];
      return command.commands.length > 0 ? leaves(command, here) : [{ command, path: here }];
    });
}

/** Returns the usage of a command, for example `key create --merchant <merchant> [--label <label>]`. */
function usage(command: Command, path: readonly string[]): string {
  const args = command.registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`));
  const options = command.options.filter((option) => !option.hidden && !COMMON.includes(option.long ?? '')).map(optionUsage);
  return [...path, ...args, ...options].join(' ');
}

function optionUsage({ flags, mandatory, argChoices }: Option): string {
  const shown = argChoices ? flags.replace(/<[^>]*>/, argChoices.join('|')) : flags;
  return mandatory ? shown : `[${shown}]`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Wraps a text into comment lines of at most 100 characters. */
function wrap(text: string): string {
  return text.replace(/(.{1,98})(?: |$)/g, '# $1\n').trimEnd();
}
