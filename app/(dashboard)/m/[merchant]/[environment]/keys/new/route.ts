import { translator } from '@/lib/i18n/translator';
import { EMPTY_KEY_FORM } from '@/lib/keys/empty-form';
import { createKeyFromForm } from '@/lib/keys/submit-key-form';
import { sentDataRoute } from '@/lib/server/visit';

const HEADERS = { 'cache-control': 'no-store' };

/** Creates a key of the sandbox for a reader of the documentation. Only this answer contains its secret. */
export const POST = sentDataRoute(async ({ runtime, access, locale }) => {
  if (access.scope.environment !== 'sandbox') return new Response(null, { status: 404, headers: HEADERS });
  const label = translator(locale, 'Docs')('keyLabel');
  const created = await createKeyFromForm(runtime, access, { ...EMPTY_KEY_FORM, label });
  if (!created.ok) return new Response(null, { status: 403, headers: HEADERS });
  const { id, secret } = created.value;
  return Response.json({ id, secret }, { headers: HEADERS });
});
