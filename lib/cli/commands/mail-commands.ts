import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import type { JsonFlag } from '@/lib/cli/terminal/options';
import { print, printList, progress, UserError } from '@/lib/cli/terminal/output';
import { startSettings } from '@/lib/entry/processes/start-settings';
import { shopMark } from '@/lib/identity/merchants/brand-rules';
import { isMailAddress } from '@/lib/platform/core/mailbox';
import { type ListedMail, listMails } from '@/lib/platform/mail/listing-store';
import { sendTestMail } from '@/lib/platform/mail/send-mail';

const LISTED = 200;

export function addMailCommands(mail: Command): void {
  mail
    .command('test')
    .description("send a mail now and print the mail server's answer")
    .requiredOption('--to <address>', 'the recipient', address)
    .action(async ({ to, json }: JsonFlag & { to: string }) => {
      const { mail: settings, LIVE_BASE_URL: base } = startSettings();
      if (!settings) throw new UserError('Mail is not configured. Set SMTP_URL and MAIL_FROM.');
      const source = { clock: () => new Date(), random: (bytes: number) => new Uint8Array(randomBytes(bytes)) };
      const sent = await sendTestMail(source, settings, { to, base, markOf: shopMark });
      if (!sent.ok) throw new UserError(`The mail was not sent: ${sent.error.replace(/\.$/, '')}.`);
      print(json, { to, answer: sent.value }, [`The mail server accepted the mail to ${to}: ${sent.value}`]);
    });
  mail
    .command('list')
    .description('list the newest mails of the last 30 days, without their texts')
    .option('--failed', 'only mails that failed', false)
    .action(async ({ failed, json }: JsonFlag & { failed: boolean }) => {
      const newest = await withRuntime((runtime) => listMails(runtime.db, { failed, limit: LISTED + 1 }));
      const found = newest.slice(0, LISTED);
      printList(json, found, found.map(describe), failed ? 'No mail has failed.' : 'There is no mail.');
      if (newest.length > found.length) progress(`Only the newest ${LISTED} are listed.`);
    });
}

function describe({ state, recipient, subject, tries, lastError, createdAt }: ListedMail): string {
  // An invalid address can contain control characters, which could control the terminal. JSON escapes them.
  const to = isMailAddress(recipient) ? recipient : JSON.stringify(recipient);
  const line = `${createdAt.toISOString()}  ${state.padEnd(6)}  ${to}  ${subject}  ${tries} ${tries === 1 ? 'attempt' : 'attempts'}`;
  return lastError === null ? line : `${line}  ${lastError}`;
}

function address(text: string): string {
  if (!isMailAddress(text)) throw new InvalidArgumentError('It must be an e-mail address');
  return text;
}
