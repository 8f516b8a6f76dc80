import { hash } from 'node:crypto';
import { deviceProof } from '@/lib/identity/accounts/device';
import { clientNetwork, largerNetworks, type NetworkSize } from '@/lib/platform/core/client-network';
import type { CodeKind } from './second-factor-codes';

/** How many attempts are allowed in a time span. Further attempts must wait until the time span is over. */
export interface Window {
  readonly attempts: number;
  readonly seconds: number;
}

/**
 * Attempts that are counted together, for example all sign-ins to one account. Several windows together make the waiting time grow: it is
 * short after a few attempts and long after many.
 */
export interface Counter {
  readonly key: string;
  /** The shortest window comes first. An attempt that a window refuses is not counted in the longer windows. */
  readonly windows: readonly Window[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Limits of entered passwords for one account. ASVS 4.0 (2.2.1) allowed 100 per hour. */
const PASSWORDS: readonly Window[] = [
  { attempts: 5, seconds: MINUTE },
  { attempts: 10, seconds: 15 * MINUTE },
  { attempts: 20, seconds: 3 * HOUR },
  { attempts: 40, seconds: DAY },
];

/**
 * Limits of entered codes for one account. At any time, three of a million codes are valid, and whoever enters codes already knows the
 * password.
 */
const CODES: readonly Window[] = [
  { attempts: 5, seconds: MINUTE },
  { attempts: 10, seconds: 15 * MINUTE },
  { attempts: 20, seconds: DAY },
  { attempts: 60, seconds: 7 * DAY },
];

/** Limits of sign-ins from one IP address. Many people may share it, but few of them sign in here. */
const ADDRESS: readonly Window[] = [
  { attempts: 30, seconds: 5 * MINUTE },
  { attempts: 300, seconds: DAY },
];

/**
 * Limits of wrong passwords from one IP network, by the prefix length of the network. A hosting provider gives a customer a /56 or a /48.
 * A company or a VPN has a /24.
 */
const PASSWORDS_FROM: Readonly<Record<NetworkSize, readonly Window[]>> = {
  24: [{ attempts: 240, seconds: HOUR }],
  56: [{ attempts: 120, seconds: HOUR }],
  48: [{ attempts: 360, seconds: HOUR }],
};

/**
 * Limit of all sign-ins to one account, or by PIN on one device, including successful ones. Each sign-in costs about 20 MB and 30 ms
 * (Argon2id), a session and an audit entry.
 */
const SIGN_INS: readonly Window[] = [{ attempts: 60, seconds: HOUR }];
const SIGN_INS_FROM_ADDRESS: readonly Window[] = [{ attempts: 300, seconds: HOUR }];

/** Limit of wrong PINs on one device. With six digits, 20 guesses find a PIN with a probability of 1 to 50,000. */
const WRONG_PINS: readonly Window[] = [{ attempts: 20, seconds: 30 * DAY }];

const MAILS_TO_ONE: readonly Window[] = [
  { attempts: 3, seconds: 15 * MINUTE },
  { attempts: 8, seconds: DAY },
];
const MAILS_FROM_ADDRESS: readonly Window[] = [
  { attempts: 10, seconds: 15 * MINUTE },
  { attempts: 50, seconds: DAY },
];
const MAILS_FROM: Readonly<Record<NetworkSize, readonly Window[]>> = {
  24: [{ attempts: 60, seconds: HOUR }],
  56: [{ attempts: 30, seconds: HOUR }],
  48: [{ attempts: 60, seconds: HOUR }],
};
const MAILS_OVERALL: readonly Window[] = [{ attempts: 300, seconds: HOUR }];

interface From {
  readonly address: string | null;
  /** The id of a device that has signed in to this account before. Null for an unknown device. */
  readonly device: string | null;
}

/**
 * Returns the counters of a password attempt. The account need not exist. A known device has only its own counter, so that attempts of
 * strangers never lock out the owner of the account (OWASP, "device cookies").
 */
export function passwordCounters({ email, address, device }: From & { readonly email: string }): Counter[] {
  if (device !== null) return [{ key: `password/device/${device}`, windows: PASSWORDS }];
  return [
    { key: `password/address/${clientNetwork(address)}`, windows: ADDRESS },
    ...networkCounters('password', address, PASSWORDS_FROM),
    { key: `password/account/${digest(email)}`, windows: PASSWORDS },
  ];
}

/**
 * Returns the counters of every sign-in, with a right or a wrong password. An attempt with the right password stays counted, too. Strangers
 * cannot use up an account's limit, because `passwordCounters` allows fewer wrong passwords. Attempts on a known device do not count for
 * their IP address, because other people may share the address.
 */
export function signInCounters({ email, address, device }: From & { readonly email: string }): Counter[] {
  const account = { key: `sign-in/account/${digest(email)}`, windows: SIGN_INS };
  return device === null ? [{ key: `sign-in/address/${clientNetwork(address)}`, windows: SIGN_INS_FROM_ADDRESS }, account] : [account];
}

/** Returns the counter of all tries to sign in on one device, with a right or a wrong PIN, because each try costs the server work. */
export function pinCounters(deviceId: string): Counter[] {
  return [{ key: `pin/device/${deviceId}`, windows: SIGN_INS }];
}

/**
 * Returns the counter of wrong PINs on one device. A right PIN does not reset it: otherwise somebody who shares the phone with the cashier
 * could guess four PINs after each of the cashier's sign-ins. When it is used up, the device is locked.
 */
export function wrongPinCounters(deviceId: string): Counter[] {
  return [{ key: `pin/wrong/${deviceId}`, windows: WRONG_PINS }];
}

/** Returns a counter for each IP network that contains an IP address, so that changing the address within a network does not help. */
function networkCounters(what: string, address: string | null, windows: Readonly<Record<NetworkSize, readonly Window[]>>): Counter[] {
  return largerNetworks(address).map(({ network, size }) => ({ key: `${what}/network/${network}`, windows: windows[size] }));
}

interface CodeAttempt extends From {
  readonly userId: string;
  readonly sessionId: string;
  readonly kind: CodeKind;
}

/**
 * Returns the counters of a code at sign-in. Whoever knows the password can use up the account's limit, so the owner has three
 * other ways. A device that has shown a code before has its own counter. Devices that have proven the mailbox, by a password reset,
 * share another counter. Recovery codes, which nobody can guess, are limited only by session and IP address. A device that has
 * shown only the password counts as unknown, because an attacker may have created many such devices before the second factor was
 * turned on.
 */
export function codeCounters({ userId, sessionId, device, address, kind }: CodeAttempt): Counter[] {
  const session = { key: `code/session/${sessionId}`, windows: CODES };
  if (kind === 'recovery') return [session, { key: `recovery/address/${clientNetwork(address)}`, windows: ADDRESS }];
  const proof = device === null ? 'password' : deviceProof(device);
  if (proof === 'code') return [session, { key: `code/device/${device}`, windows: CODES }];
  return [session, proof === 'mailbox' ? mailboxCodes(userId) : accountCodes(userId)];
}

/**
 * Returns the code counters that people other than the account's owner can use up. They are reset when the signed-in owner changes the
 * password or the operator sets one. A password reset by mail does not reset them.
 */
export function sharedCodeCounters(userId: string): Counter[] {
  return [accountCodes(userId), mailboxCodes(userId)];
}

function accountCodes(userId: string): Counter {
  return { key: `code/account/${userId}`, windows: CODES };
}

function mailboxCodes(userId: string): Counter {
  return { key: `code/mailbox/${userId}`, windows: CODES };
}

/** Returns the counter of wrong codes per day. When it is used up, the owner gets a warning that somebody knows the password. */
export function wrongCodeCounters(userId: string): Counter[] {
  return [{ key: `code/slips/${userId}`, windows: [{ attempts: 4, seconds: DAY }] }];
}

/** Returns the counter that limits the warning about wrong codes to one mail a day. */
export function warningCounters(userId: string): Counter[] {
  return [{ key: `code/warned/${userId}`, windows: [{ attempts: 1, seconds: DAY }] }];
}

/** Returns the counter of identity proofs. Only the holder of the session can use it up. */
export function proofCounters({ sessionId }: { readonly sessionId: string }): Counter[] {
  return [{ key: `proof/session/${sessionId}`, windows: CODES }];
}

interface MailTo extends Omit<From, 'device'> {
  readonly email: string;
  readonly what: 'reset' | 'sign-up' | 'new-email';
}

/**
 * Returns the counters of a request for a mail. They do not depend on whether the address has an account. Password resets have no limit for
 * all addresses together, because strangers could use it up and so block everybody. Such a limit is not needed: only addresses with an
 * account get a mail to reset the password, and each address gets only a few.
 */
export function mailCounters({ email, address, what }: MailTo): Counter[] {
  return [
    { key: `${what}/address/${clientNetwork(address)}`, windows: MAILS_FROM_ADDRESS },
    ...networkCounters(what, address, MAILS_FROM),
    { key: `${what}/mailbox/${digest(email)}`, windows: MAILS_TO_ONE },
    ...(what === 'reset' ? [] : [{ key: `${what}/all`, windows: MAILS_OVERALL }]),
  ];
}

/** Returns the counters of requests for a new e-mail address, so that a signed-in user cannot send many mails to strangers. */
export function newEmailCounters({ userId, ...to }: Omit<MailTo, 'what'> & { readonly userId: string }): Counter[] {
  return [{ key: `new-email/account/${userId}`, windows: MAILS_TO_ONE }, ...mailCounters({ ...to, what: 'new-email' })];
}

/** Returns the hash of an e-mail address, because the table `throttle` must not contain e-mail addresses. */
function digest(email: string): string {
  return hash('sha256', email.trim().toLowerCase(), 'base64url');
}
