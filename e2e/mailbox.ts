import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { readMail } from '@/testing/data/read-mail';
import { expect } from './product';

/** A mail server that stores received mails. */
export interface Mailbox {
  /** The settings with which the product sends its mail to this server. */
  readonly env: { readonly SMTP_URL: string; readonly MAIL_FROM: string };
  /** Waits for a mail to an address. Returns the first URL in the newest mail. */
  linkFor(address: string): Promise<string>;
  /** Returns the texts of all mails to an address. */
  textsFor(address: string): string[];
  /** Returns the HTML part of the newest mail to an address. */
  htmlFor(address: string): string;
  stop(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
  const received: { to: string[]; text: string; html: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    async onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(Buffer.from(chunk));
      const { text, html } = readMail(Buffer.concat(chunks).toString('latin1'));
      received.push({ to: envelope.rcptTo.map(({ address }) => address), text, html });
      done();
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const textsFor = (to: string) => received.filter((mail) => mail.to.includes(to)).map(({ text }) => text);
  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Bili <bili@example.com>' },
    textsFor,
    htmlFor: (to) => received.findLast((mail) => mail.to.includes(to))?.html ?? '',
    async linkFor(to) {
      await expect.poll(() => textsFor(to).length).toBeGreaterThan(0);
      return /https?:\/\/\S+/.exec(textsFor(to).at(-1) ?? '')?.[0] ?? '';
    },
    async stop() {
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}
