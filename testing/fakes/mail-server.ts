import { once } from 'node:events';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type ReadMail, readMail } from '../data/read-mail';
import { makeCertificate } from './certificate';

export interface ReceivedMail extends ReadMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly encrypted: boolean;
  /** The user as whom the client logged in; null without a login. */
  readonly user: string | null;
}

export interface Behaviour {
  /** Checks each recipient. If it throws, the server refuses with that error. */
  readonly recipient?: (address: string) => void;
  /** Checks the sender. If it throws, the server refuses with that error. */
  readonly sender?: () => void;
  readonly login?: (user: string, password: string) => void;
  /** Awaited after a mail is stored and before it is acknowledged. */
  readonly acknowledge?: () => Promise<void>;
}

/** A mail server on real sockets. Its self-signed certificate is for `receiver.test`. */
export interface TestMailServer {
  url(scheme?: 'smtp' | 'smtps', login?: string): URL;
  readonly received: ReceivedMail[];
  /** Sets how the server behaves for the rest of a test. */
  behave(behaviour: Behaviour): void;
  down(): Promise<void>;
  /** Listens again on the same port. */
  up(): Promise<void>;
}

/** Returns an error for a check in {@link Behaviour} to throw. The server then refuses with this code and message. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Starts a mail server for a test file. */
export function testMailServer(options: SMTPServerOptions = {}): TestMailServer {
  const { cert, key } = makeCertificate({ name: 'receiver.test' });
  let behaviour: Behaviour = {};
  let port = 0;
  let server: SMTPServer | undefined;
  const received: ReceivedMail[] = [];

  async function up(): Promise<void> {
    server = new SMTPServer({
      cert,
      key,
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth: ({ username = '', password }, _session, done) =>
        done(
          thrown(() => behaviour.login?.(username, password ?? '')),
          { user: username },
        ),
      onMailFrom: (_address, _session, done) => done(thrown(() => behaviour.sender?.())),
      onRcptTo: ({ address }, _session, done) => done(thrown(() => behaviour.recipient?.(address))),
      async onData(stream, { envelope, secure, user }, done) {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(Buffer.from(chunk));
        const raw = Buffer.concat(chunks).toString('latin1');
        received.push({
          ...readMail(raw),
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw,
          encrypted: secure,
          user: typeof user === 'string' ? user : null,
        });
        await behaviour.acknowledge?.();
        done(null, 'kept');
      },
      ...options,
    });
    // A client that does not accept our certificate disconnects, which is an error for the server. Tests do this on purpose.
    server.on('error', () => undefined);
    const listening = server.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    const address = listening.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async function down(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing) await new Promise<void>((resolve) => closing.close(resolve));
  }

  beforeAll(up);
  beforeEach(() => {
    received.length = 0;
    behaviour = {};
  });
  afterAll(down);
  return {
    url: (scheme = 'smtp', login = '') => new URL(`${scheme}://${login}${login && '@'}127.0.0.1:${port}`),
    received,
    behave: (how) => {
      behaviour = how;
    },
    down,
    up,
  };
}

function thrown(act: () => void): Error | null {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
