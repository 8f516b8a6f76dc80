import type { Random } from '@/lib/core/clock';

const FORM_ID = /^[\w-]{22}$/;

/** @returns a payment form's own number, 128 random bits: whoever sends it was given that form, or has it from who was. */
export function newFormId(random: Random): string {
  return Buffer.from(random(16)).toString('base64url');
}

/** @returns the number that a form was sent with; null where there is none, or none of ours: then nothing it repeats is known. */
export function readFormId(sent: string | null): string | null {
  return sent !== null && FORM_ID.test(sent) ? sent : null;
}
