import type { Command } from 'commander';
import { withDatabase } from '@/lib/cli/deployment/connect';
import { checkDatabase } from '@/lib/cli/deployment/open-database';
import { type JsonFlag, jsonOption } from '@/lib/cli/terminal/options';
import { print } from '@/lib/cli/terminal/output';
import { startSettings } from '@/lib/entry/processes/start-settings';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import { openDatabase } from '@/lib/platform/db/database';
import { migrate } from '@/lib/platform/db/migrate';
import { compareSchema } from '@/lib/platform/db/schema-version';
import { addAttemptCommands } from './attempt-commands';
import { addAuditCommands } from './audit-commands';
import { addBackupCommands, addRestoreCommand } from './backup-commands';
import { addBillCommands, addOverviewCommands } from './bill-commands';
import { addBrandCommands } from './brand-commands';
import { addDatabaseCommands } from './database-commands';
import { addDeliveryCommands } from './delivery-commands';
import { addDemoCommands } from './demo-commands';
import { addDoctorCommand } from './doctor-command';
import { addHoldCommands } from './hold-commands';
import { addKeyCommands } from './key-commands';
import { addMailCommands } from './mail-commands';
import { addMerchantCommands } from './merchant-commands';
import { addNetworkCommands, addNumberCommands } from './number-commands';
import { addPaymentCommands } from './payment-commands';
import { addProposalCommands } from './proposal-commands';
import { addProviderCommands } from './provider-commands';
import { addReconcileCommands } from './reconcile-commands';
import { addReviewCommands } from './review-commands';
import { addSecretsCommands } from './secrets-commands';
import { addToolCommands } from './tool-commands';
import { addUserCommands } from './user-commands';
import { addWebhookCommands } from './webhook-commands';
import { addWebhookTestCommands } from './webhook-test-commands';

/** Adds all commands except those that run Bili's processes, such as `start` and `worker`, and those that run simulators. */
export function addCommands(program: Command): void {
  program
    .command('migrate')
    .description('apply the migrations that the database does not have yet')
    .action(async ({ json }: JsonFlag) => {
      const { applied, changed } = await withDatabase(startSettings(), upgrade);
      const lines = applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['The database is up to date.'];
      print(json, { applied, changed }, [
        ...lines,
        ...changed.map((name) => `${name} was changed after it was applied: see "bili doctor"`),
      ]);
    });
  addDatabaseCommands(program.command('database').description('copy, move and upgrade the embedded database'));
  const merchants = program.command('merchant').description('create merchants, change their status and what customers see');
  addMerchantCommands(merchants);
  addBrandCommands(merchants);
  addKeyCommands(program.command('key').description('create, list, roll and revoke API keys'));
  const webhooks = program.command('webhook').description('manage webhook addresses and signing secrets, and test receivers');
  addWebhookCommands(webhooks);
  addProposalCommands(webhooks);
  addWebhookTestCommands(webhooks);
  addDeliveryCommands(program.command('deliveries').description('list webhook deliveries and send them again'));
  addProviderCommands(program.command('provider').description('manage accounts at mobile-money providers'));
  addBillCommands(program.command('bill').description('close and reopen bills'));
  addPaymentCommands(program.command('payment').description('manage the ledger: unmatched payments, reversals and corrections'));
  addAttemptCommands(program.command('attempt').description('list, query, release and settle attempts with an unknown outcome'));
  addReviewCommands(program.command('review').description('list and resolve reviews: questions about money that a person must answer'));
  addReconcileCommands(program);
  addMailCommands(program.command('mail').description('test the mail server and list mails'));
  addOverviewCommands(program.command('overview').description("manage the daily sums of the dashboard's overview"));
  addDoctorCommand(program);
  addBackupCommands(
    program.command('backup').description('back up the database and the secrets, encrypted, and prove that backups can be restored'),
  );
  addRestoreCommand(program);
  addSecretsCommands(program.command('secrets').description('replace the master key, which encrypts all secrets in the database'));
  addHoldCommands(program.command('hold').description('keep a restored copy of the database from sending anything'));
  addAuditCommands(program.command('audit').description('verify the audit log and print its heads'));
  addDemoCommands(program.command('demo').description('generate sample data'));
  addNetworkCommands(program.command('network').description('manage the number prefixes of the networks'));
  addNumberCommands(
    program.command('number').description('block phone numbers that must not get prompts, and export or erase what is stored about one'),
  );
  addUserCommands(program.command('user').description('manage people who sign in to the dashboard'));
  addToolCommands(program);
  addJsonOptions(program);
}

/** Adds `--json` to every command that does not have it yet, as its last option. */
function addJsonOptions({ commands }: Command): void {
  for (const command of commands) {
    if (command.commands.length > 0) addJsonOptions(command);
    else if (!command.options.some(({ long }) => long === '--json')) command.addOption(jsonOption());
  }
}

/** Applies the missing migrations. Returns their names, and the names of applied migrations whose file has changed since. */
async function upgrade({
  DATABASE_URL: url,
  MIGRATE_DATABASE_URL: ownerUrl = url,
}: ConnectedSettings): Promise<{ readonly applied: readonly string[]; readonly changed: readonly string[] }> {
  if (ownerUrl !== url) await checkDatabase(ownerUrl, 'MIGRATE_DATABASE_URL');
  const applied = await migrate(ownerUrl, { applicationUrl: url });
  const db = openDatabase({ url, poolSize: 1, applicationName: 'bili-cli', need: 'answers', onError: () => undefined });
  try {
    return { applied, changed: (await compareSchema(db)).changed.map(({ name }) => name) };
  } finally {
    await db.close();
  }
}
