import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { countImported, listImportRows } from './import-rows-store';
import { type BillImport, findImport, findImportOfSameRows, listImports } from './import-store';

const PAGE_SIZE = 100;
const RECENT = 10;

export type ImportedFile = BillImport;

export type ImportView = NonNullable<Awaited<ReturnType<typeof showImport>>>;

interface ShowImportOptions {
  readonly id: string;
  readonly after: number;
  /** Whether to return only rows with errors or warnings. */
  readonly problems: boolean;
}

/** Returns one page of an import's rows, or null if the member may not see the import. */
export async function showImport({ db }: Pick<Runtime, 'db'>, access: MerchantAccess, { id, after, problems }: ShowImportOptions) {
  const file = isUuid(id) && may(access, 'bills.import') ? await findImport(db, access.scope, id) : undefined;
  if (!file) return null;
  const [rows, counted, sameRows] = await Promise.all([
    listImportRows(db, { importId: file.id, after, problems, limit: PAGE_SIZE + 1 }),
    countImported(db, file.id),
    findImportOfSameRows(db, file),
  ]);
  const shown = rows.slice(0, PAGE_SIZE);
  /** The row number after which the next page starts, or null on the last page. */
  const next = rows.length > PAGE_SIZE ? (shown.at(-1)?.number ?? null) : null;
  /** The time of an earlier import of the same rows, or null. */
  const madeBefore = sameRows?.startedAt ?? null;
  return { file, rows: shown, next, ...counted, madeBefore };
}

/** Returns the newest imports. Returns none if the role may not see them. */
export async function recentImports({ db }: Pick<Runtime, 'db'>, access: MerchantAccess): Promise<readonly BillImport[]> {
  return may(access, 'bills.import') ? listImports(db, access.scope, RECENT) : [];
}
