'use server';

import { redirect } from 'next/navigation';
import { runImport } from '@/lib/bills/import/run-import';
import { formText, openAction } from '@/lib/server/visit';

/** Makes the bills of the file that the form names, as far as they are not made yet. The page says how things stand. */
export async function runImportAction(form: FormData): Promise<void> {
  const id = formText(form, 'import');
  const page = `bills/import/${encodeURIComponent(id)}`;
  const { runtime, access, path } = await openAction(form, page);
  const ran = await runImport(runtime, access, {
    id,
    rowsHash: formText(form, 'rows'),
    askPhones: form.has('ask'),
    again: form.has('again'),
  });
  const told = ran.ok ? 'done' : `refused=${ran.error}`;
  redirect(path(`${page}?${told}`));
}
