import { notice, publicPage } from '@/app/public-page';
import { everyMethod } from '@/lib/http/route-module';

/** The page that the listener shows instead of the answer to a form that did not come from one of our own pages. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  publicPage((visit) => notice(visit, 'foreignForm', 403), { forms: true }),
);
