import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { copyDatabaseFolder } from '@/lib/cli/backup/copy-folder';
import { withEmbedded } from '@/lib/cli/deployment/connect';
import { moveEmbedded } from '@/lib/cli/deployment/move-embedded';
import { checkDatabase } from '@/lib/cli/deployment/open-database';
import { upgradeEmbedded } from '@/lib/cli/deployment/upgrade-embedded';
import { callerPath } from '@/lib/cli/terminal/files';
import { thisOperator } from '@/lib/cli/terminal/operator';
import type { JsonFlag } from '@/lib/cli/terminal/options';
import { print } from '@/lib/cli/terminal/output';
import { startSettings } from '@/lib/entry/processes/start-settings';
import { SECRETS_FILE } from '@/lib/platform/config/data-dir';

interface TargetFlag extends JsonFlag {
  readonly to: string;
}

/** Adds the commands about the embedded database as a whole. */
export function addDatabaseCommands(databases: Command): void {
  databases
    .command('copy')
    .description('copy the embedded database into a new folder, also while Bili runs; without secrets.json')
    .requiredOption('--to <folder>', 'the folder of the copy, which a Bili can use as DATA_DIR with a copy of secrets.json')
    .action(async ({ to, json }: TargetFlag) => {
      const copy = join(callerPath(to), 'postgres');
      await withEmbedded(startSettings(), ({ superuserUrl }) => copyDatabaseFolder(superuserUrl, copy));
      print(json, { copy }, [`The database is copied to ${copy}.`]);
    });

  databases
    .command('move')
    .description(
      'move the embedded database of a stopped Bili to an empty database of your PostgreSQL server; the embedded one stays as it is',
    )
    .addOption(
      new Option('--to <url>', 'the empty database, with the role that will own its tables')
        .env('BILI_MOVE_TO')
        .argParser(postgresUrl)
        .makeOptionMandatory(),
    )
    .action(async ({ to, json }: TargetFlag) => {
      const settings = startSettings();
      await checkDatabase(to, '--to');
      const tables = await withEmbedded(settings, (source) => moveEmbedded(source, to, thisOperator()), true);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      print(json, { tables }, [
        `Moved ${rows} rows of ${tables.length} tables. The embedded database in ${settings.DATA_DIR} is unchanged. Next:`,
        '1. Set MIGRATE_DATABASE_URL to the address that you gave as --to or BILI_MOVE_TO.',
        '2. Set DATABASE_URL to the same database with the role of web and worker: docs/operating.md#two-database-roles.',
        `3. Set SECRET_KEY to the value of "secretKey" in ${join(settings.DATA_DIR, SECRETS_FILE)}. If the file has "nextSecretKey" or ` +
          '"previousSecretKey", set SECRET_KEY_OTHER to it. Set the addresses that you use.',
        '4. Run "npm run -s bili -- migrate", which gives that role its rights, then "npm run -s bili -- doctor", then start Bili.',
        'Never start Bili with the embedded database again: it would send prompts and webhooks that the moved one sends as well.',
      ]);
    });

  databases
    .command('upgrade')
    .description('move the embedded database of a stopped Bili to the major version of PostgreSQL that this Bili contains')
    .action(async ({ json }: JsonFlag) => {
      const upgraded = await upgradeEmbedded(startSettings(), thisOperator());
      const lines = upgraded
        ? [
            `Upgraded from PostgreSQL ${upgraded.from} to ${upgraded.to}. The old data is in ${upgraded.kept}: delete it when you are sure ` +
              'that you do not need it.',
          ]
        : ['The embedded database has the version of PostgreSQL that this Bili contains.'];
      print(json, upgraded, lines);
    });
}

function postgresUrl(text: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(text)) {
    throw new InvalidArgumentError('It must be an address like postgresql://bili_owner:…@db:5432/bili');
  }
  return text;
}
