import { type CheckImportRefusal, checkImport } from '@/lib/backoffice/import/check-import';
import { FILE_MAX_BYTES } from '@/lib/backoffice/import/import-file';
import { readBody, readForm } from '@/lib/entry/http/body';
import { dataRoute, sentDataRoute, type Visit } from '@/lib/entry/server/visit';
import { translator } from '@/lib/platform/i18n/translator';

/** The maximum size of a file and of pasted cells, with room for the other parts of the form. */
const BODY_MAX_BYTES = 2 * FILE_MAX_BYTES + 64 * 1024;

/**
 * Checks an uploaded file of bills, or cells pasted from a sheet, and redirects to the result, or back to the form with the problem. This is not a server action, because
 * server actions accept at most 100 kB.
 */
export const POST = sentDataRoute(async ({ runtime, access, locale, path }, request) => {
  const body = await readBody(request, BODY_MAX_BYTES);
  if (!body.ok) return redirectTo(path, '?problem=too_large');
  const form = await readForm(body.value, request.headers.get('content-type'));
  const [file, cells, formId] = [form?.get('file'), form?.get('cells'), form?.get('form')];
  const given =
    file instanceof File && file.size > 0
      ? { fileName: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
      : { fileName: translator(locale, 'Import')('pastedName'), bytes: new TextEncoder().encode(typeof cells === 'string' ? cells : '') };
  if (given.bytes.length === 0) return redirectTo(path, '?problem=no_file');
  const checked = await checkImport(runtime, access, { formId: typeof formId === 'string' ? formId : '', ...given });
  return redirectTo(path, checked.ok ? `/${checked.value}` : `?${describe(checked.error)}`);
});

/** Redirects to the form. A browser that opens or reloads this address sends no file. */
export const GET = dataRoute(({ path }) => redirectTo(path, ''));

function redirectTo(path: Visit['path'], below: string): Response {
  return new Response(null, { status: 303, headers: { location: path(`bills/import${below}`) } });
}

function describe(problem: CheckImportRefusal): string {
  const query = new URLSearchParams({ problem: problem.kind });
  if ('fields' in problem) query.set('fields', problem.fields.join());
  if ('row' in problem) query.set('row', String(problem.row));
  return query.toString();
}
