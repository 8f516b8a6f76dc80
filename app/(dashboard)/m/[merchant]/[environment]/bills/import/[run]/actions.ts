'use server';

import { redirect } from 'next/navigation';
import { runImport } from '@/lib/bills/import/run-import';
import { formText, openAction } from '@/lib/server/visit';

/** Starts or continues an import and redirects to its page, which shows the result. */
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
  const result = ran.ok ? 'done' : `refused=${ran.error}`;
  redirect(path(`${page}?${result}`));
}
