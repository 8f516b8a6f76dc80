import { sentDataRoute } from '@/lib/entry/server/visit';
import { createKeyFromForm } from '@/lib/identity/keys/change-keys';
import { EMPTY_KEY_FORM } from '@/lib/identity/keys/empty-form';
import { translator } from '@/lib/platform/i18n/translator';

/** Creates a key of the sandbox for a reader of the documentation. Only this answer contains its secret. */
export const POST = sentDataRoute(async ({ runtime, access, locale }) => {
  if (access.scope.environment !== 'sandbox') return new Response(null, { status: 404 });
  const label = translator(locale, 'Docs')('keyLabel');
  const created = await createKeyFromForm(runtime, access, { ...EMPTY_KEY_FORM, label });
  if (!created.ok) return new Response(null, { status: 403 });
  const { id, secret } = created.value;
  return Response.json({ id, secret });
});
