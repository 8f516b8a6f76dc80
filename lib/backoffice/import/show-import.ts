import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import { splitPage } from '@/lib/platform/core/page';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type BillImport, countImported, findImport, findImportOfSameRows, listImportRows, readFile } from './import-store';

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
  const { shown, last } = splitPage(rows, PAGE_SIZE);
  /** The time of an earlier import of the same rows, or null. */
  const madeBefore = sameRows?.startedAt ?? null;
  /** `next`: the row number after which the next page starts, or null on the last page. */
  return { file, rows: shown, next: last?.number ?? null, ...counted, madeBefore };
}

/** Returns the newest imports. Returns none if the role may not see them. */
export async function recentImports({ db }: Pick<Runtime, 'db'>, access: MerchantAccess): Promise<readonly BillImport[]> {
  if (!may(access, 'bills.import')) return [];
  const orderBy = [{ createdAt: 'desc' }, { id: 'asc' }] as const;
  return (await db.prisma.billImport.findMany({ where: access.scope, orderBy: [...orderBy], take: RECENT })).map(readFile);
}
