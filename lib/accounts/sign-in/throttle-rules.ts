import { hash } from 'node:crypto';
import { proofOf } from '@/lib/accounts/device';
import type { CodeKind } from '@/lib/accounts/second-factor/spend-code';
import { holderOf, type NetworkSize, networksOf } from '@/lib/core/address-holder';

/** So many tries in so long a time; what is over that waits until the time is up. */
export interface Window {
  readonly tries: number;
  readonly seconds: number;
}

/** What is counted together. Several windows make a pause that grows: short after the first few tries, long after many. */
export interface Counter {
  readonly key: string;
  /** The shortest first: what it turns away does not count in the longer ones. */
  readonly windows: readonly Window[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Passwords for one account. ASVS 4.0 (2.2.1) allowed 100 in an hour. */
const PASSWORDS: readonly Window[] = [
  { tries: 5, seconds: MINUTE },
  { tries: 10, seconds: 15 * MINUTE },
  { tries: 20, seconds: 3 * HOUR },
  { tries: 40, seconds: DAY },
];

/** Codes for one account. Three of a million are right at any time, and whoever tries them knows the password. */
const CODES: readonly Window[] = [
  { tries: 5, seconds: MINUTE },
  { tries: 10, seconds: 15 * MINUTE },
  { tries: 20, seconds: DAY },
  { tries: 60, seconds: 7 * DAY },
];

/** Many people share an address, and few of them sign in here. */
const ADDRESS: readonly Window[] = [
  { tries: 30, seconds: 5 * MINUTE },
  { tries: 300, seconds: DAY },
];

/** Wrong passwords from larger networks. A hoster gives a customer a /56 or a /48; a company or a VPN has a /24. */
const PASSWORDS_FROM: Readonly<Record<NetworkSize, readonly Window[]>> = {
  24: [{ tries: 240, seconds: HOUR }],
  56: [{ tries: 120, seconds: HOUR }],
  48: [{ tries: 360, seconds: HOUR }],
};

/** Sign-ins, right ones too: each costs about 20 MB and 30 ms (Argon2id), a session and an audit entry. */
const SIGN_INS: readonly Window[] = [{ tries: 60, seconds: HOUR }];
const SIGN_INS_FROM_ADDRESS: readonly Window[] = [{ tries: 300, seconds: HOUR }];

const MAILS_TO_ONE: readonly Window[] = [
  { tries: 3, seconds: 15 * MINUTE },
  { tries: 8, seconds: DAY },
];
const MAILS_FROM_ADDRESS: readonly Window[] = [
  { tries: 10, seconds: 15 * MINUTE },
  { tries: 50, seconds: DAY },
];
const MAILS_FROM: Readonly<Record<NetworkSize, readonly Window[]>> = {
  24: [{ tries: 60, seconds: HOUR }],
  56: [{ tries: 30, seconds: HOUR }],
  48: [{ tries: 60, seconds: HOUR }],
};
const MAILS_OVERALL: readonly Window[] = [{ tries: 300, seconds: HOUR }];

interface From {
  readonly address: string | null;
  /** The id of a device that has signed in to this account before; null for any other. */
  readonly device: string | null;
}

/**
 * What a password for an account counts in, whether anybody has it or not. A device that is known has a counter of its own and no
 * other, so that what strangers try never keeps an owner out (OWASP, "device cookies").
 */
export function passwordCounters({ email, address, device }: From & { readonly email: string }): Counter[] {
  if (device !== null) return [{ key: `password/device/${device}`, windows: PASSWORDS }];
  return [
    { key: `password/address/${holderOf(address)}`, windows: ADDRESS },
    ...networkCounters('password', address, PASSWORDS_FROM),
    { key: `password/account/${digest(email)}`, windows: PASSWORDS },
  ];
}

/**
 * What every sign-in counts in, whether the password was right or wrong; nothing is given back. Strangers cannot use an account's up:
 * `passwordCounters` let fewer wrong passwords through. A known device does not count by its address, which others may share.
 */
export function signInCounters({ email, address, device }: From & { readonly email: string }): Counter[] {
  const account = { key: `sign-in/account/${digest(email)}`, windows: SIGN_INS };
  return device === null ? [{ key: `sign-in/address/${holderOf(address)}`, windows: SIGN_INS_FROM_ADDRESS }, account] : [account];
}

/** One counter for each larger network around an address: nobody gets more by using ever other addresses of their own network. */
function networkCounters(what: string, address: string | null, windows: Readonly<Record<NetworkSize, readonly Window[]>>): Counter[] {
  return networksOf(address).map(({ network, size }) => ({ key: `${what}/network/${network}`, windows: windows[size] }));
}

interface CodeTry extends From {
  readonly userId: string;
  readonly sessionId: string;
  readonly kind: CodeKind;
}

/**
 * What a code at sign-in counts in. Whoever knows a password can use up what its account has, so three ways stay open to the owner:
 * a device that has shown a code before has a counter of its own; those that have shown the mailbox, by a reset, share another; and
 * recovery codes, which nobody guesses, are held up by session and address alone. A device that has shown no more than the password
 * counts as any other: whoever knew it before the second factor was on may have made many.
 */
export function codeCounters({ userId, sessionId, device, address, kind }: CodeTry): Counter[] {
  const session = { key: `code/session/${sessionId}`, windows: CODES };
  if (kind === 'recovery') return [session, { key: `recovery/address/${holderOf(address)}`, windows: ADDRESS }];
  const proof = device === null ? 'password' : proofOf(device);
  if (proof === 'code') return [session, { key: `code/device/${device}`, windows: CODES }];
  return [session, proof === 'mailbox' ? mailboxCodes(userId) : accountCodes(userId)];
}

/** The counters of codes that others can use up: they begin anew with a new password, when its owner was seen to be in. */
export function sharedCodeCounters(userId: string): Counter[] {
  return [accountCodes(userId), mailboxCodes(userId)];
}

function accountCodes(userId: string): Counter {
  return { key: `code/account/${userId}`, windows: CODES };
}

function mailboxCodes(userId: string): Counter {
  return { key: `code/mailbox/${userId}`, windows: CODES };
}

/** How many wrong codes in a day are a slip: with the next one, the owner is told that somebody has the password. */
export function slipCounters(userId: string): Counter[] {
  return [{ key: `code/slips/${userId}`, windows: [{ tries: 4, seconds: DAY }] }];
}

/** One such mail a day. */
export function warningCounters(userId: string): Counter[] {
  return [{ key: `code/warned/${userId}`, windows: [{ tries: 1, seconds: DAY }] }];
}

/** What a proof of identity counts in. Only whoever has the session can use this up. */
export function proofCounters({ sessionId }: { readonly sessionId: string }): Counter[] {
  return [{ key: `proof/session/${sessionId}`, windows: CODES }];
}

interface MailTo extends Omit<From, 'device'> {
  readonly email: string;
  readonly what: 'reset' | 'sign-up' | 'new-email';
}

/**
 * What asking for a mail counts in, whether anybody has the address or not. A reset has no total: mails go only to mailboxes that have
 * an account, a few to each, and a total that strangers could use up would keep everybody else from theirs.
 */
export function mailCounters({ email, address, what }: MailTo): Counter[] {
  return [
    { key: `${what}/address/${holderOf(address)}`, windows: MAILS_FROM_ADDRESS },
    ...networkCounters(what, address, MAILS_FROM),
    { key: `${what}/mailbox/${digest(email)}`, windows: MAILS_TO_ONE },
    ...(what === 'reset' ? [] : [{ key: `${what}/all`, windows: MAILS_OVERALL }]),
  ];
}

/** What asking for another e-mail address counts in: nobody who is signed in writes to strangers on and on. */
export function newEmailCounters({ userId, ...to }: Omit<MailTo, 'what'> & { readonly userId: string }): Counter[] {
  return [{ key: `new-email/account/${userId}`, windows: MAILS_TO_ONE }, ...mailCounters({ ...to, what: 'new-email' })];
}

/** How many tries a counter lets through in the long run. @returns tries a day. */
export function triesPerDay({ windows }: Pick<Counter, 'windows'>): number {
  return Math.min(...windows.map(({ tries, seconds }) => (tries * DAY) / seconds));
}

/** Addresses of people do not stand in a table of what strangers tried. */
function digest(email: string): string {
  return hash('sha256', email.trim().toLowerCase(), 'base64url');
}
