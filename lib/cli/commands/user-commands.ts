import { type Command, Option } from 'commander';
import { type ChangeEmailProblem, changeEmail } from '@/lib/backoffice/email-links/change-email';
import { resetPassword } from '@/lib/backoffice/email-links/change-password';
import { makeResetLink } from '@/lib/backoffice/email-links/reset-by-link';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator';
import { type JsonFlag, merchantOption, needMerchant } from '@/lib/cli/terminal/options';
import { print, progress, UserError } from '@/lib/cli/terminal/output';
import { operatorAccess, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { ROLES, type Role } from '@/lib/identity/accounts/permissions';
import { endPersonSessions } from '@/lib/identity/accounts/sign-in/manage-account';
import { removeSecondFactor } from '@/lib/identity/accounts/sign-in/manage-second-factor';
import { type InviteProblem, inviteMember } from '@/lib/identity/accounts/team/invite-member';

const INVITE_PROBLEMS: Readonly<Record<Exclude<InviteProblem, ProvenRefusal>, string>> = {
  owners_only: 'Only an owner may invite owners and admins.',
  email_wrong: 'This is not an e-mail address.',
  already_member: 'This person is already a member of this merchant.',
  already_invited: 'This person is already invited. Send that invitation again or revoke it on the team page.',
  too_many: 'This merchant has reached the limit of invitations in 24 hours.',
};

const EMAIL_PROBLEMS: Readonly<Record<Exclude<ChangeEmailProblem, 'unknown'>, string>> = {
  email_wrong: 'The new address is not an e-mail address.',
  email_same: 'This person already has that address.',
  email_taken: 'Another person already uses the new address.',
};

export function addUserCommands(users: Command): void {
  ofPerson(users, 'reset-password', "set a new password that works for three days, and show it once; ends the person's sessions").action(
    async ({ email, json }: JsonFlag & { email: string }) => {
      const reset = await withRuntime((runtime) => resetPassword(runtime, { email, actor: runtime.actor }));
      if (reset === null) throw noPerson(email);
      const { password, expiresAt } = reset;
      progress('All sessions of this person were ended.');
      print(json, { email, password, expiresAt }, [
        `New password of ${email}: ${password}`,
        `It works until ${expiresAt.toISOString()}. The person must choose another one before, on the account page.`,
      ]);
    },
  );
  users
    .command('invite')
    .description("invite a person to a merchant's team; the link is shown once, for you to pass on")
    .addOption(merchantOption())
    .requiredOption('--email <email>', "the person's e-mail address")
    .addOption(new Option('--role <role>', "the person's role").choices([...ROLES]).makeOptionMandatory())
    .action(async ({ merchant: given, email, role, json }: JsonFlag & { merchant: string; email: string; role: Role }) => {
      const { merchant, invited } = await withRuntime(async (runtime) => {
        const found = await needMerchant(runtime, given);
        const access = operatorAccess(runtime.actor, { merchantId: found.id, environment: 'live' });
        return { merchant: found, invited: await inviteMember(runtime, access, { email, role, mail: false }) };
      });
      const { id, link, email: address } = valueOrRefusal(invited, INVITE_PROBLEMS);
      print(json, { id, merchant: merchant.slug, email: address, role, link }, [
        `${address} is invited to ${merchant.name} as ${role}. The link is valid for 7 days and is shown only once:`,
        link ?? '',
      ]);
    });
  ofPerson(users, 'reset-link', 'create a link to set a new password, shown once; it works for one hour').action(
    async ({ email, json }: JsonFlag & { email: string }) => {
      const link = await withRuntime((runtime) => makeResetLink(runtime, { email, actor: runtime.actor }));
      if (link === null) throw noPerson(email);
      print(json, { email, link }, [link, 'The link works once, within an hour. It does not replace the second factor.']);
    },
  );
  ofPerson(users, 'change-email', "change a person's e-mail address; ends the person's sessions")
    .requiredOption('--to <email>', 'the new e-mail address')
    .action(async ({ email, to, json }: JsonFlag & { email: string; to: string }) => {
      const changed = await withRuntime((runtime) => changeEmail(runtime, { email, to, actor: runtime.actor }));
      if (changed.ok) {
        const ended = 'Their sessions were ended, and links and invitations that were sent to the old address no longer work.';
        print(json, { email: changed.value, was: email }, [`${changed.value} is now the e-mail address of this person. ${ended}`]);
        return;
      }
      throw changed.error === 'unknown' ? noPerson(email) : new UserError(EMAIL_PROBLEMS[changed.error]);
    });
  ofPerson(
    users,
    'remove-second-factor',
    "remove the second factor of a person who lost phone and recovery codes; ends the person's sessions",
  ).action(async ({ email, json }: JsonFlag & { email: string }) => {
    const outcome = await withRuntime((runtime) => removeSecondFactor(runtime, { email, actor: runtime.actor }));
    if (outcome === 'unknown') throw noPerson(email);
    if (outcome === 'none') throw new UserError(`${email} has no second factor.`);
    print(json, { email, secondFactor: false }, [`${email} now signs in with the password only. All sessions were ended.`]);
  });
  ofPerson(users, 'end-sessions', 'sign a person out everywhere; the person can sign in again').action(
    async ({ email, json }: JsonFlag & { email: string }) => {
      const ended = await withRuntime((runtime) => endPersonSessions(runtime, { email, actor: runtime.actor }));
      if (ended === null) throw noPerson(email);
      print(json, { email, sessionsEnded: ended }, [`${ended} sessions of ${email} were ended.`]);
    },
  );
}

function ofPerson(users: Command, name: string, description: string): Command {
  return users.command(name).description(description).requiredOption('--email <email>', "the person's e-mail address");
}

function noPerson(email: string): UserError {
  return new UserError(`No person has the e-mail address ${email}.`);
}
