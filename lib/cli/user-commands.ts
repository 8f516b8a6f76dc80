import type { Command } from 'commander';
import { makeResetLink } from '@/lib/accounts/make-reset-link';
import { removeSecondFactor } from '@/lib/accounts/remove-second-factor';
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
  users
    .command('reset-link')
    .description('make a link by which a person sets a new password, shown this once; it works for an hour')
    .requiredOption('--email <email>', 'whose')
    .addOption(jsonOption())
    .action(async ({ email, json }: JsonFlag & { email: string }) => {
      const link = await withRuntime((runtime) => makeResetLink(runtime, { email, actor: ACTOR }));
      if (link === null) throw new UserError(`Nobody signs in as ${email}.`);
      progress('It works once, within an hour. A second factor is asked for as ever.');
      print(json, { email, link }, [link]);
    });
  users
    .command('remove-second-factor')
    .description('take the second factor off a person who has lost phone and recovery codes; ends their sessions')
    .requiredOption('--email <email>', 'whose')
    .addOption(jsonOption())
    .action(async ({ email, json }: JsonFlag & { email: string }) => {
      const outcome = await withRuntime((runtime) => removeSecondFactor(runtime, { email, actor: ACTOR }));
      if (outcome === 'unknown') throw new UserError(`Nobody signs in as ${email}.`);
      if (outcome === 'none') throw new UserError(`${email} has no second factor.`);
      print(json, { email, secondFactor: false }, [`${email} signs in with the password alone from now on. Their sessions have ended.`]);
    });
}
