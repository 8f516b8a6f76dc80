import type { Queryable } from '@/lib/db/database';

/** What each line is made of. Names PostgreSQL makes up itself (not-null constraints) are left out. */
const SOURCES: readonly string[] = [
  `SELECT format('column %s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN ' not null' ELSE '' END,
     coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) AS line
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line
   FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype NOT IN ('n', 't')`,
  `SELECT format('index %s', indexdef) AS line FROM pg_indexes WHERE schemaname = 'public'`,
  `SELECT format('trigger %s', pg_get_triggerdef(oid)) AS line FROM pg_trigger WHERE NOT tgisinternal`,
  `SELECT format('function %s %s', p.oid::regprocedure, md5(p.prosrc)) AS line FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace`,
  `SELECT format('enum %s: %s', t.typname, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)) AS line
   FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname`,
  `SELECT format('partition %s of %s %s', c.relname, i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid)) AS line
   FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relispartition AND c.relnamespace = 'public'::regnamespace`,
];

/** @returns the database's structure as sorted lines, with all that Prisma's own comparison does not see. */
export async function readCatalogue(db: Queryable): Promise<string> {
  const lines: string[] = [];
  for (const text of SOURCES) lines.push(...(await db.query<{ line: string }>({ text })).map(({ line }) => line));
  return `${lines
    .filter((line) => !line.includes('_prisma_migrations'))
    .sort()
    .join('\n')}\n`;
}
