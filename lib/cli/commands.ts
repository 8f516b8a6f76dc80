import type { Command } from 'commander';
import { addAttemptCommands } from './attempt-commands';
import { addAuditCommands } from './audit-commands';
import { addBillCommands } from './bill-commands';
import { addBrandCommands } from './brand-commands';
import { startSettings, withDatabase } from './connect';
import { addDeliveryCommands } from './delivery-commands';
import { addDemoCommands } from './demo-commands';
import { addDoctorCommand } from './doctor-command';
import { addKeyCommands } from './key-commands';
import { addMailCommands } from './mail-commands';
import { addMerchantCommands } from './merchant-commands';
import { addNetworkCommands } from './network-commands';
import { addNumberCommands } from './number-commands';
import { type JsonFlag, jsonOption } from './options';
import { print } from './output';
import { addOverviewCommands } from './overview-commands';
import { addPaymentCommands } from './payment-commands';
import { addProviderCommands } from './provider-commands';
import { addReconcileCommands } from './reconcile-commands';
import { addReviewCommands } from './review-commands';
import { upgrade } from './upgrade';
import { addUserCommands } from './user-commands';
import { addWebhookCommands } from './webhook-commands';
import { addWebhookTestCommands } from './webhook-test-commands';

/** Every command of `bili` that does one thing and ends. */
export function addCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      const { applied, changed } = await withDatabase(startSettings(), ({ DATABASE_URL }) => upgrade(DATABASE_URL));
      const lines = applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['The database is up to date.'];
      print(json, { applied, changed }, [...lines, ...changed.map((name) => `${name} was applied with another text: see "bili doctor"`)]);
    });
  const merchants = program.command('merchant').description('who takes payments here, and what customers see of them');
  addMerchantCommands(merchants);
  addBrandCommands(merchants);
  addKeyCommands(program.command('key').description('create, list and revoke API keys'));
  const webhooks = program.command('webhook').description('where merchants are told, and what their code makes of it');
  addWebhookCommands(webhooks);
  addWebhookTestCommands(webhooks);
  addDeliveryCommands(program.command('deliveries').description('webhooks: what was sent, what was answered, and sending it again'));
  addProviderCommands(program.command('provider').description('accounts at mobile-money providers'));
  addBillCommands(program.command('bill').description('bills that nobody shall pay any more'));
  addPaymentCommands(program.command('payment').description('the ledger: unmatched money, refunds, reversals'));
  addAttemptCommands(program.command('attempt').description('prompts that nobody knows the end of'));
  addReviewCommands(program.command('review').description('what a person has to look at'));
  addReconcileCommands(program);
  addMailCommands(program.command('mail').description('whether mail can be sent, and what became of it'));
  addOverviewCommands(program.command('overview').description("the sums that the dashboard's overview is made of"));
  addDoctorCommand(program);
  addAuditCommands(program.command('audit').description('who did what: whether the log of it is as it was written'));
  addDemoCommands(program.command('demo').description('a past to look at, made up'));
  addNetworkCommands(program.command('network').description('which network a number is taken for by its prefix'));
  addNumberCommands(program.command('number').description('numbers whose owners want no prompts'));
  addUserCommands(program.command('user').description('people who sign in'));
}
