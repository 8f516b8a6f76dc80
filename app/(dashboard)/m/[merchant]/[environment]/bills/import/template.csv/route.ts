import { templateCsv, templateHeaders } from '@/lib/backoffice/import/import-template';
import { dataRoute } from '@/lib/entry/server/visit';

/** Returns a CSV file with the names of the columns, to be filled in and imported. */
export const GET = dataRoute(({ locale }) => new Response(templateCsv(locale), { headers: templateHeaders(locale, 'csv') }));
