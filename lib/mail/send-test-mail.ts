import type { MailSettings } from '@/lib/config/mail-settings';
import { newId } from '@/lib/core/ids';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { submitMail } from './submit-mail';

/** Sends a test mail at once, without the queue, to check the settings. Returns the server's answer, or why there is none. */
export async function sendTestMail(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  mail: MailSettings,
  to: string,
): Promise<Result<string, string>> {
  const text = 'This mail was sent by "bili mail test". It has arrived, so Bili can send mail.\n';
  const letter = { id: newId(runtime), to, subject: 'A test mail from Bili', text, writtenAt: runtime.clock() };
  const sent = await submitMail(mail, letter);
  return sent.ok ? sent : fail(sent.error.detail);
}
