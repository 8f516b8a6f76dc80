import { changeBrandFromForm } from '@/lib/backoffice/merchants/change-brand';
import { readBody, readForm } from '@/lib/entry/http/body';
import { dataRoute, sentDataRoute, type Visit } from '@/lib/entry/server/visit';

/**
 * The maximum size of a request. It is larger than the maximum size of a logo, so that a file slightly above the maximum is still read and
 * the answer can explain the problem.
 */
const BODY_MAX_BYTES = 5 * 1024 * 1024;

/**
 * Saves or removes a logo and redirects to the settings with the result. This is not a server action, because server actions accept at most
 * 100 kB.
 */
export const POST = sentDataRoute(async ({ runtime, access, path }, request) => {
  const body = await readBody(request, BODY_MAX_BYTES);
  if (!body.ok) return redirectTo(path, { logo: 'too_large' });
  const form = await readForm(body.value, request.headers.get('content-type'));
  const file = form?.get('logo');
  const sent = file instanceof File && file.size > 0 ? new Uint8Array(await file.arrayBuffer()) : undefined;
  const logo = sent ?? (form?.has('removeLogo') ? null : undefined);
  if (logo === undefined) return redirectTo(path, {});
  const changed = await changeBrandFromForm(runtime, access, { logo });
  if (changed.ok) return redirectTo(path, { logo: 'saved' });
  if (changed.error.field !== 'logo') return redirectTo(path, {});
  const { problem } = changed.error;
  const size: Record<string, string> = 'width' in problem ? { width: String(problem.width), height: String(problem.height) } : {};
  return redirectTo(path, { logo: problem.kind, ...size });
});

/** Redirects to the settings. A browser that opens or reloads this address sends no file. */
export const GET = dataRoute(({ path }) => redirectTo(path, {}));

function redirectTo(path: Visit['path'], result: Readonly<Record<string, string>>): Response {
  const query = new URLSearchParams(result).toString();
  const location = `${path('settings')}${query && `?${query}`}#business`;
  return new Response(null, { status: 303, headers: { location } });
}
