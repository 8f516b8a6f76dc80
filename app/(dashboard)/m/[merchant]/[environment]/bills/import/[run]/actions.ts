'use server';

import { runImport } from '@/lib/backoffice/import/run-import';
import { ofMerchant, plainAction, present, text } from '@/lib/entry/server/form-action';

const page = ofMerchant(({ import: id }: { readonly import: string }) => `bills/import/${encodeURIComponent(id)}`);
const fields = { import: text(), rows: text(), ask: present, again: present };

/** Starts or continues an import and redirects to its page, which shows the result. */
export const runImportAction = plainAction(page, fields, async ({ runtime, access, back }, { import: id, rows, ask, again }) => {
  const ran = await runImport(runtime, access, { id, rowsHash: rows, askPhones: ask, again });
  return back(ran.ok ? 'done' : `refused=${ran.error}`);
});
