import { notice, publicPage } from '@/app/public-page';
import { maySend } from '@/lib/platform/hold/hold';

/**
 * The page that the listener shows instead of the answer to a form that did not come from one of our own pages, or to any form while the copy of
 * the database is on hold.
 */
export const formRefused = publicPage((visit) => (maySend() ? notice(visit, 'foreignForm', 403) : notice(visit, 'onHold', 503)), {
  forms: true,
});
