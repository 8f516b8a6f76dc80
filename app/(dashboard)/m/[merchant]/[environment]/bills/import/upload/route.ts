import { type CheckImportRefusal, checkImport } from '@/lib/bills/import/check-import';
import { FILE_MAX_BYTES } from '@/lib/bills/import/import-file';
import { readBody } from '@/lib/http/body';
import { readForm } from '@/lib/http/read-form';
import { dataRoute, formText, sentDataRoute, type Visit } from '@/lib/server/visit';

/** The maximum file size, with room for the other parts of the form. */
const BODY_MAX_BYTES = FILE_MAX_BYTES + 64 * 1024;

/**
 * Checks an uploaded file of bills and redirects to the result, or back to the form with the problem. This is not a server action, because
 * server actions accept at most 100 kB.
 */
export const POST = sentDataRoute(async ({ runtime, access, path }, request) => {
  const body = await readBody(request, BODY_MAX_BYTES);
  if (!body.ok) return redirectTo(path, '?problem=too_large');
  const form = await readForm(body.value, request.headers.get('content-type'));
  const file = form?.get('file');
  if (!form || !(file instanceof File) || file.size === 0) return redirectTo(path, '?problem=no_file');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const checked = await checkImport(runtime, access, { formId: formText(form, 'form'), fileName: file.name, bytes });
  return redirectTo(path, checked.ok ? `/${checked.value}` : `?${describe(checked.error)}`);
});

/** Redirects to the form. A browser that opens or reloads this address sends no file. */
export const GET = dataRoute(({ path }) => redirectTo(path, ''));

function redirectTo(path: Visit['path'], below: string): Response {
  return new Response(null, { status: 303, headers: { location: path(`bills/import${below}`), 'cache-control': 'no-store' } });
}

function describe(problem: CheckImportRefusal): string {
  const query = new URLSearchParams({ problem: problem.kind });
  if ('fields' in problem) query.set('fields', problem.fields.join());
  if ('row' in problem) query.set('row', String(problem.row));
  return query.toString();
}
