import { z } from 'zod';
import { isLoopback } from '@/lib/core/loopback';
import type { Network } from '@/lib/core/network';
import type { Environment } from '@/lib/core/scope';
import { credentialsReader, describeFields, originOrSimulatorUrl, secretText } from '@/lib/providers/port/credentials';
import { CHECKOUT_PATH, OPERATORS, PROVIDERS } from './wire';

const HOSTS = {
  live: { authUrl: 'https://authenticator.azampay.co.tz', checkoutUrl: 'https://checkout.azampay.co.tz' },
  sandbox: { authUrl: 'https://authenticator-sandbox.azampay.co.tz', checkoutUrl: 'https://sandbox.azampay.co.tz' },
} as const satisfies Record<Environment, object>;

/** AzamPay's secrets are several hundred characters long. */
const SECRET_MAX = 4_000;

function wordOf(name: string) {
  const message = `${name} must be 1 to 50 letters, digits, hyphens or underscores`;
  return z.string(message).regex(/^[\w-]{1,50}$/, message);
}

function ofNetworks<Value extends z.ZodType>(name: string, value: Value) {
  const one = value.optional();
  return z.strictObject(
    { vodacom: one, yas: one, airtel: one, halotel: one },
    `${name} must be an object with the members vodacom, yas, airtel or halotel`,
  );
}

const appName = 'appName must be 1 to 200 printable characters';
const credentialsSchema = z.strictObject({
  appName: z.string('appName is missing').regex(/^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/, appName),
  clientId: secretText('clientId', 4, 200),
  clientSecret: secretText('clientSecret', 4, SECRET_MAX),
  apiKey: secretText('apiKey', 4, SECRET_MAX).optional(),
  authUrl: originOrSimulatorUrl('authUrl').default(HOSTS.live.authUrl),
  checkoutUrl: originOrSimulatorUrl('checkoutUrl').default(HOSTS.live.checkoutUrl),
  checkoutPath: z
    .string('checkoutPath must be a path')
    .regex(/^(\/[\w.-]{1,50}){1,6}$/, 'checkoutPath must be a path such as /azampay/mno/checkout')
    .default(CHECKOUT_PATH),
  amountAs: z.enum(['string', 'number'], 'amountAs must be "string" or "number"').default('string'),
  providerNames: ofNetworks('providerNames', wordOf('providerNames')).default({}),
  operators: ofNetworks(
    'operators',
    z
      .array(wordOf('operators'), 'operators must contain lists')
      .min(1, 'operators must not be empty')
      .max(4, 'operators must have at most 4 words'),
  ).default({}),
});
export type AzampayCredentials = z.infer<typeof credentialsSchema>;
export type AzampayCredentialsInput = z.input<typeof credentialsSchema>;

export const parseCredentials = credentialsReader('AzamPay', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
export function checkEnvironment(credentials: AzampayCredentials, environment: Environment): readonly string[] {
  const members = ['authUrl', 'checkoutUrl'] as const;
  return members.flatMap((name) => {
    const url = new URL(credentials[name]);
    const expected = HOSTS[environment][name];
    if (isLoopback(url) || url.origin === expected) return [];
    return [`${name} must be ${expected} for an account in ${environment === 'live' ? 'live' : 'the sandbox'}.`];
  });
}

/** Returns the name of a network in payment requests. */
export function providerOf({ providerNames }: AzampayCredentials, network: Network): string {
  return namesOf(providerNames, network) ?? PROVIDERS[network] ?? '';
}

/** Returns the values of AzamPay's parameter `operator` (the mobile network) that a status query tries for a network. */
export function operatorsOf({ operators }: AzampayCredentials, network: Network): readonly string[] {
  return namesOf(operators, network) ?? OPERATORS[network] ?? [];
}

function namesOf<Value>(names: Readonly<Partial<Record<Network, Value>>>, network: Network): Value | undefined {
  return names[network];
}

export const AZAMPAY_FIELDS = describeFields<keyof AzampayCredentialsInput>({
  appName: { text: 'the name of the app, as it is registered at AzamPay', absent: null },
  clientId: { text: "the app's client id", absent: null },
  clientSecret: { text: "the app's secret. It expires: AzamPay then answers 423, and a new one must be created", absent: null },
  apiKey: { text: 'sent as X-API-Key: the token from the settings page. The sandbox requires it', absent: 'none' },
  authUrl: { text: `the authentication host; ${HOSTS.sandbox.authUrl} for the sandbox`, absent: HOSTS.live.authUrl },
  checkoutUrl: { text: `the checkout host; ${HOSTS.sandbox.checkoutUrl} for the sandbox`, absent: HOSTS.live.checkoutUrl },
  checkoutPath: { text: 'the path of payment requests, if AzamPay gives you another one', absent: CHECKOUT_PATH },
  amountAs: { text: 'whether amounts are sent as "string" or as "number"', absent: 'string' },
  providerNames: {
    text: 'what payment requests call the networks, for example `{"vodacom": "Azampesa"}`',
    absent: Object.entries(PROVIDERS)
      .map((names) => names.join(': '))
      .join(', '),
  },
  operators: {
    text: 'what status queries call the networks: lists of words that are tried in turn, for example `{"yas": ["yas"]}`. A single word is taken as certain: a failure that it reports is final',
    absent: Object.entries(OPERATORS)
      .map(([network, words]) => `${network}: ${words.join(' or ')}`)
      .join(', '),
  },
});
