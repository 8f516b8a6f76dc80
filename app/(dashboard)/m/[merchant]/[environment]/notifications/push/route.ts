import { addPushDevice, removePushDevice } from '@/lib/backoffice/alerts/push/change-device';
import { pushKey } from '@/lib/backoffice/alerts/push/vapid';
import { readShortForm } from '@/lib/entry/http/body';
import { dataRoute, sentDataRoute } from '@/lib/entry/server/visit';

/** Returns the public key with which browsers subscribe to pushes. */
export const GET = dataRoute(({ runtime }) => Response.json({ key: pushKey(runtime.secrets).publicKey }));

/** Adds or removes a device of the member. */
export const POST = sentDataRoute(async ({ runtime, access }, request) => {
  const form = await readShortForm(request);
  if (!form) return new Response(null, { status: 413 });
  const endpoint = form.get('endpoint');
  if (endpoint === null) return new Response(null, { status: 400 });
  if (form.get('on') !== 'on') {
    await removePushDevice(runtime, access, endpoint);
    return new Response(null, { status: 204 });
  }
  const added = await addPushDevice(runtime, access, endpoint);
  return new Response(null, { status: added.ok ? 204 : added.error === 'not_allowed' ? 403 : 400 });
});
