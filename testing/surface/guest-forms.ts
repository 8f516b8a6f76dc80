import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { listRouteFiles } from './route-files';

/** A page for people who are not signed in, with a form that is sent to the page itself. */
export interface GuestForm {
  /** The file of the page below app. */
  readonly file: string;
  /** The names of all fields that the page reads. */
  readonly fields: readonly string[];
}

/** Returns all pages that `guestPage` makes with a form. */
export function listGuestForms(): GuestForm[] {
  return listRouteFiles()
    .filter((file) => file.startsWith('(auth)/'))
    .map((file) => ({ file, source: readFileSync(join(PROJECT_ROOT, 'app', file), 'utf8') }))
    .filter(({ source }) => source.includes('guestPage(show, send)'))
    .map(({ file, source }) => ({ file, fields: fieldsIn(source) }));
}

function fieldsIn(source: string): string[] {
  const named = [...source.matchAll(/\bform\.get\('(\w+)'\)/g)].map(([, name = '']) => name);
  return [...new Set(source.includes('wantedPath(guest, form)') ? ['callbackUrl', ...named] : named)];
}
