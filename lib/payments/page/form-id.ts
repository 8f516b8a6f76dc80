import type { Random } from '@/lib/core/clock';

const FORM_ID = /^[\w-]{22}$/;

/** Returns a new id for a payment form: 128 random bits, so that nobody can guess the id of another person's form. */
export function newFormId(random: Random): string {
  return Buffer.from(random(16)).toString('base64url');
}

/** Returns the id of a submitted form; null if the id is missing or malformed. Bili cannot recognise a repeated form without an id. */
export function readFormId(sent: string | null): string | null {
  return sent !== null && FORM_ID.test(sent) ? sent : null;
}
