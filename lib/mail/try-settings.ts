import type { MailSettings } from '@/lib/config/mail-settings';
import { newId } from '@/lib/core/ids';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { submitMail } from './submit-mail';

/** Sends a mail at once, past the queue, to see whether the settings are right. @returns the server's answer, or why there is none. */
export async function trySettings(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  mail: MailSettings,
  to: string,
): Promise<Result<string, string>> {
  const text = 'This mail was asked for by "bili mail test". It arrived: Bili can send mail.\n';
  const letter = { id: newId(runtime), to, subject: 'A test mail from Bili', text, writtenAt: runtime.clock() };
  const sent = await submitMail(mail, letter);
  return sent.ok ? sent : fail(sent.error.detail);
}
