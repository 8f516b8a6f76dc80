import type { Command } from 'commander';
import { resetPassword } from '@/lib/accounts/reset-password';
import { withRuntime } from './connect';
import { ACTOR, type JsonFlag, jsonOption } from './options';
import { print, progress, UserError } from './output';

/** `bili user …`: people who sign in. */
export function addUserCommands(users: Command): void {
  users
    .command('reset-password')
    .description('give a person a new password, shown this once; ends their sessions')
    .requiredOption('--email <email>', 'whose')
    .addOption(jsonOption())
    .action(async ({ email, json }: JsonFlag & { email: string }) => {
      const password = await withRuntime((runtime) => resetPassword(runtime, { email, actor: ACTOR }));
      if (password === null) throw new UserError(`Nobody signs in as ${email}.`);
      progress('Every session of this person has ended.');
      print(json, { email, password }, [`New password of ${email}: ${password}`]);
    });
}
