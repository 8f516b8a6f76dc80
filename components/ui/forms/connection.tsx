'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Messages } from '@/lib/platform/i18n/messages';

/** The route that tells whether the session is valid. The request changes nothing and its answer has no body. */
const SESSION_CHECK = '/account/session';

const CHECK_MS = 15_000;
const SIGNED_OUT = 401;

/**
 * `ended`: the session has ended. `offline`: the device has no network. `down`: the server gave no usable answer, for example while it
 * restarts.
 */
type Connection = 'open' | 'ended' | 'offline' | 'down';

/** Checks connection and session before a form is sent. Without this check, a failure would leave unknown whether the form arrived. */
export async function checkConnection(): Promise<Connection> {
  try {
    const { status, ok } = await fetch(SESSION_CHECK, { cache: 'no-store', signal: AbortSignal.timeout(CHECK_MS) });
    if (status === SIGNED_OUT) return 'ended';
    return ok ? 'open' : 'down';
  } catch {
    return navigator.onLine ? 'down' : 'offline';
  }
}

/**
 * Why sending a form failed. `unknown`: the answer was lost, so the server may have done what the form asks for. In all other cases it has
 * done nothing. `version`: the server was updated and no longer knows this form. `foreign`: the server took the form for one of another site,
 * probably because a proxy changes headers. `onHold`: the copy of the database is on hold, so the server takes no forms.
 */
export type Trouble = Exclude<Connection, 'open'> | 'unknown' | 'version' | 'foreign' | 'onHold';

/** What the dialog about a lost connection shows. */
export interface Incident {
  readonly trouble: Trouble;
  /** Sends the form again. Null if nobody sent a form: the page noticed the end of the session while it refreshed itself. */
  readonly again: (() => void) | null;
  /** True if the form can be sent twice without harm, because the server recognises the second submission. */
  readonly repeatable: boolean;
}

const INCIDENT = 'bili:incident';
const POLLED = 'bili:polled';

/** Opens the dialog over the page. */
export function reportIncident(incident: Incident): void {
  window.dispatchEvent(new CustomEvent<Incident>(INCIDENT, { detail: incident }));
}

/** Reports whether a poll of a page got an answer. */
export function reportPoll(answered: boolean): void {
  window.dispatchEvent(new CustomEvent<boolean>(POLLED, { detail: answered }));
}

/** Calls `listener` for each incident. Returns a function that stops listening. */
export function onIncident(listener: (incident: Incident) => void): () => void {
  return listen<Incident>(INCIDENT, listener);
}

/** Calls `listener` after each poll, with whether it was answered. Returns a function that stops listening. */
export function onPoll(listener: (answered: boolean) => void): () => void {
  return listen<boolean>(POLLED, listener);
}

function listen<Detail>(name: string, listener: (detail: Detail) => void): () => void {
  const hear: EventListener = (event) => {
    if (event instanceof CustomEvent) listener(event.detail);
  };
  window.addEventListener(name, hear);
  return () => window.removeEventListener(name, hear);
}

/** The title and text about each trouble. */
export const TROUBLE_TEXTS = {
  offline: { title: 'offlineTitle', text: 'offlineText' },
  down: { title: 'downTitle', text: 'downText' },
  unknown: { title: 'unknownTitle', text: 'unknownText' },
  ended: { title: 'endedTitle', text: 'endedText' },
  version: { title: 'versionTitle', text: 'versionText' },
  foreign: { title: 'foreignTitle', text: 'foreignText' },
  onHold: { title: 'onHoldTitle', text: 'onHoldText' },
} as const satisfies Readonly<Record<Trouble, { readonly title: keyof ConnectionWords; readonly text: keyof ConnectionWords }>>;

type ConnectionWords = Messages['Line'];

const Words = createContext<ConnectionWords | null>(null);

/** Provides the messages about a lost connection. They are loaded with the page, because they cannot be fetched without a connection. */
export function ConnectionTexts({ words, children }: { readonly words: ConnectionWords; readonly children: ReactNode }) {
  return <Words value={words}>{children}</Words>;
}

export function useConnectionTexts(): (name: keyof ConnectionWords) => string {
  const words = useContext(Words);
  if (words === null) throw new Error('ConnectionTexts is missing in the root layout');
  return (name) => words[name];
}
