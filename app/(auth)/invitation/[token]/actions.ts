'use server';

import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import type { AcceptState } from '@/components/dashboard/team/accept-form';
import { acceptInvitation, PASSWORD_MIN } from '@/lib/accounts/accept-invitation';
import { isSameOrigin } from '@/lib/http/same-origin';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { formText, sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';

/** Takes an invitation up. A new person's name is kept where something is wrong, the password never. */
export async function acceptAction(_before: AcceptState, form: FormData): Promise<AcceptState> {
  const sent = await headers();
  if (!isSameOrigin(sent)) notFound();
  const runtime = webRuntime();
  const [token, name, password] = [formText(form, 'token'), formText(form, 'name'), formText(form, 'password')];
  const session = await sessionToken(runtime);
  const person = form.has('password') ? { name, password } : null;
  const accepted = await acceptInvitation(runtime, { token, session, person, address: runtime.addressOf(sent) });
  if (accepted.ok) redirect(`/m/${accepted.value}/live/bills`);
  const { error } = accepted;
  const field = error === 'name_wrong' ? 'name' : error === 'password_wrong' ? 'password' : null;
  // What is wrong with the invitation itself, the page says.
  if (field === null) redirect(`/invitation/${encodeURIComponent(token)}`);
  const problem = translator(await pageLocale(), 'Invitation')(field === 'name' ? 'name_wrong' : 'password_wrong', {
    least: String(PASSWORD_MIN),
  });
  return { name: name.slice(0, 200), field, problem };
}
