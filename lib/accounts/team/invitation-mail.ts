import type { Role } from '@/lib/accounts/permissions';
import type { Connection } from '@/lib/db/database';
import { formatInstant } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { queueMail, writeMail } from '@/lib/mail/queue-mail';
import { findSettings } from '@/lib/merchants/store';
import type { Runtime } from '@/lib/runtime/runtime';

/** Returns the URL of the page where an invitation is accepted. */
export function invitationLink({ settings }: Pick<Runtime, 'settings'>, token: string): string {
  return `${settings.LIVE_BASE_URL.origin}/invitation/${token}`;
}

interface InvitationToMail {
  readonly merchantId: string;
  readonly email: string;
  readonly role: Role;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Queues the invitation's mail in the caller's transaction. The mail is in the merchant's language, or in both languages if the
 * merchant has not chosen one. Returns false if no mail server is set up.
 */
export async function mailInvitation(
  runtime: Pick<Runtime, 'settings' | 'secrets' | 'clock' | 'random'>,
  tx: Connection,
  { merchantId, email, role, token, expiresAt }: InvitationToMail,
): Promise<boolean> {
  if (!runtime.settings.mail) return false;
  const merchant = await findSettings(tx, merchantId);
  if (!merchant) throw new Error(`there is no merchant ${merchantId}`);
  const mail = writeMail(merchant.language, (locale) => {
    const facts = {
      merchant: merchant.name,
      role: translator(locale, 'Shell')(`role_${role}`),
      link: invitationLink(runtime, token),
      until: formatInstant(expiresAt, locale),
    };
    const t = translator(locale, 'InvitationMail');
    return { subject: t('subject', facts), text: `${t('text', facts)}\n` };
  });
  await queueMail(runtime, { ...mail, to: [email], kind: 'invitation', merchantId }, tx);
  return true;
}
