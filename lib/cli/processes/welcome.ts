import { join } from 'node:path';
import type { Settings } from '@/lib/platform/config/settings';
import { isLoopback } from '@/lib/platform/core/loopback';

/** The demo merchant's credentials, as the file demo-credentials.json in DATA_DIR contains them. */
export interface StoredDemo {
  readonly sandbox: { readonly baseUrl: string; readonly apiKey: string; readonly apiSecret: string; readonly webhookSecret: string };
  readonly dashboard: { readonly url: string; readonly email: string; readonly password: string };
}

export interface DemoCredentials extends StoredDemo {
  /** `phones` is the address of the test phones' page, which contains a signature; null if the merchant of the key no longer exists. */
  readonly sandbox: StoredDemo['sandbox'] & { readonly phones: string | null };
}

/** Returns whether both base addresses are loopback addresses. */
export function isPrivate({ LIVE_BASE_URL, SANDBOX_BASE_URL }: Settings): boolean {
  return isLoopback(LIVE_BASE_URL) && isLoopback(SANDBOX_BASE_URL);
}

/** @param onHoldSince since when the copy of the database is on hold; null if it is not. */
export function welcomeJson(settings: Settings, demo: DemoCredentials | undefined, onHoldSince: string | null = null): string {
  const { LIVE_BASE_URL: live, SANDBOX_BASE_URL: sandbox } = settings;
  const shown = isPrivate(settings) ? (demo ?? null) : null;
  const addresses = { live: live.origin, sandbox: sandbox.origin, dashboard: `${live.origin}/sign-in` };
  return `${JSON.stringify({ running: true, ...addresses, demo: shown, onHoldSince })}\n`;
}

export function welcome(settings: Settings, demo: DemoCredentials | undefined, onHoldSince: string | null = null): string {
  const { LIVE_BASE_URL: live, SANDBOX_BASE_URL: sandbox } = settings;
  const lines = [
    '',
    'Bili is running.',
    '',
    `  Live:      ${live.origin}`,
    `  Sandbox:   ${sandbox.origin}`,
    `  Docs:      ${live.origin}/docs (Kiswahili: ${live.origin}/docs/sw)`,
    `  Dashboard: ${live.origin}/sign-in`,
  ];
  if (onHoldSince !== null) lines.splice(3, 0, `This copy is on hold since ${onHoldSince}: nothing is sent until "bili hold end".`, '');
  // With JSON logs, standard output is collected, so secrets must not be printed.
  if (demo && (!isPrivate(settings) || settings.LOG_FORMAT === 'json')) {
    lines.push('', `The demo merchant's password and sandbox key are in ${join(settings.DATA_DIR, 'demo-credentials.json')}.`);
  } else if (demo) {
    const { apiKey, apiSecret, webhookSecret } = demo.sandbox;
    lines.push(
      `             ${demo.dashboard.email} / ${demo.dashboard.password}`,
      '',
      `  Sandbox API key:    ${apiKey}`,
      `  Sandbox API secret: ${apiSecret}`,
      `  Webhook secret:     ${webhookSecret}`,
      '',
      'Create a first bill. The simulated phone approves it in about a second:',
      '',
      `curl -sS ${sandbox.origin}/api/v3/bills/create -H 'Authorization: ApiKey ${apiKey}:${apiSecret}' -H 'Content-Type: application/json' -d '{"amount":5000,"reference":"ORDER-1","mobile":"0712345001"}'`,
      '',
      ...(demo.sandbox.phones === null ? [] : ['Test phones, where you enter the PIN yourself:', '', demo.sandbox.phones, '']),
      `These credentials are also in ${join(settings.DATA_DIR, 'demo-credentials.json')}. Stop with Ctrl-C.`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
