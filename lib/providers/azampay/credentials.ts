import { z } from 'zod';
import { isLoopback } from '@/lib/platform/core/loopback';
import type { Network } from '@/lib/platform/core/network';
import type { Environment } from '@/lib/platform/core/scope';
import { credentialsReader, describeFields, originOrSimulatorUrl, secretText } from '@/lib/providers/port/credentials';
import { rsaPublicKey } from '@/lib/providers/port/rsa-key';
import { BANKS } from './payout-wire';
import { CHECKOUT_PATH, OPERATORS, PROVIDERS } from './wire';

const HOSTS = {
  live: {
    authUrl: 'https://authenticator.azampay.co.tz',
    checkoutUrl: 'https://checkout.azampay.co.tz',
    payoutUrl: 'https://api-disbursement.azampay.co.tz',
  },
  sandbox: {
    authUrl: 'https://authenticator-sandbox.azampay.co.tz',
    checkoutUrl: 'https://sandbox.azampay.co.tz',
    payoutUrl: 'https://api-disbursement-sandbox.azampay.co.tz',
  },
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

function printableText(name: string) {
  const message = `${name} must be 1 to 200 printable characters`;
  return z.string(`${name} is missing`).regex(/^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/, message);
}

function appOf(prefix: string) {
  return {
    appName: printableText(`${prefix}appName`),
    clientId: secretText(`${prefix}clientId`, 4, 200),
    clientSecret: secretText(`${prefix}clientSecret`, 4, SECRET_MAX),
  };
}

/** The length that the padding and the hash of a checksum need, with a wide margin. */
const KEY_MIN_BITS = 1_024;
const payoutsSchema = z.strictObject(
  {
    key: rsaPublicKey('payouts.key', KEY_MIN_BITS),
    account: secretText('payouts.account', 1, 50),
    name: printableText('payouts.name'),
    bank: wordOf('payouts.bank').default('Azampesa'),
    payeeName: printableText('payouts.payeeName').default('Customer'),
    bankNames: ofNetworks('payouts.bankNames', wordOf('payouts.bankNames')).default({}),
    app: z.strictObject(appOf('payouts.app.'), 'payouts.app must be an object').optional(),
  },
  'payouts must be an object with key, account and name',
);

const credentialsSchema = z.strictObject({
  ...appOf(''),
  apiKey: secretText('apiKey', 4, SECRET_MAX).optional(),
  authUrl: originOrSimulatorUrl('authUrl').default(HOSTS.live.authUrl),
  checkoutUrl: originOrSimulatorUrl('checkoutUrl').default(HOSTS.live.checkoutUrl),
  payoutUrl: originOrSimulatorUrl('payoutUrl').default(HOSTS.live.payoutUrl),
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
  payouts: payoutsSchema.optional(),
});
export type AzampayCredentials = z.infer<typeof credentialsSchema>;
export type AzampayCredentialsInput = z.input<typeof credentialsSchema>;

export const { parseCredentials, withCredentials, accountMembers } = credentialsReader('AzamPay', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
export function checkEnvironment(credentials: AzampayCredentials, environment: Environment): readonly string[] {
  const members = ['authUrl', 'checkoutUrl', 'payoutUrl'] as const;
  return members.flatMap((name) => {
    if (name === 'payoutUrl' && !credentials.payouts) return [];
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

/** Returns the name of a network in payouts. */
export function bankOf({ payouts }: AzampayCredentials, network: Network | null): string | undefined {
  return network === null ? undefined : (namesOf(payouts?.bankNames ?? {}, network) ?? BANKS[network]);
}

function namesOf<Value>(names: Readonly<Partial<Record<Network, Value>>>, network: Network): Value | undefined {
  return names[network];
}

export const AZAMPAY_FIELDS = describeFields<keyof AzampayCredentialsInput | `payouts.${keyof z.input<typeof payoutsSchema>}`>({
  appName: { text: 'the name of the app, as it is registered at AzamPay', absent: null },
  clientId: { text: "the app's client id", absent: null },
  clientSecret: { text: "the app's secret. It expires: AzamPay then answers 423, and a new one must be created", absent: null },
  apiKey: { text: 'sent as X-API-Key: the token from the settings page. The sandbox requires it', absent: 'none' },
  authUrl: { text: `the authentication host; ${HOSTS.sandbox.authUrl} for the sandbox`, absent: HOSTS.live.authUrl },
  checkoutUrl: { text: `the checkout host; ${HOSTS.sandbox.checkoutUrl} for the sandbox`, absent: HOSTS.live.checkoutUrl },
  payoutUrl: { text: `the host of payouts; ${HOSTS.sandbox.payoutUrl} for the sandbox`, absent: HOSTS.live.payoutUrl },
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
  payouts: { text: 'an object with the members below, if refunds are paid out from an account at AzamPay', absent: 'no payouts' },
  'payouts.key': { text: "AzamPay's RSA public key for the checksum of payouts: PEM, or its base64 text in one line", absent: null },
  'payouts.account': { text: 'the number of the account that pays', absent: null },
  'payouts.name': { text: 'the name of the account that pays', absent: null },
  'payouts.bank': { text: 'where the account is', absent: 'Azampesa' },
  'payouts.payeeName': { text: 'the name of the payee in each payout. Bili does not know the names of customers', absent: 'Customer' },
  'payouts.bankNames': {
    text: 'what payouts call the networks',
    absent: Object.entries(BANKS)
      .map((names) => names.join(': '))
      .join(', '),
  },
  'payouts.app': {
    text: 'an object with `appName`, `clientId` and `clientSecret`, if AzamPay has given you another app for payouts',
    absent: 'the app above',
  },
});
