import type { Queryable } from '@/lib/platform/db/database';

/**
 * Statements that return the structure of the database as lines. They cover what Prisma's own comparison (schema-drift.ts) does not check.
 * For columns: nullability of arrays, and collations. For keys: whether they are deferrable or not validated. For indexes: everything but
 * the columns. Not-null constraints are left out, because PostgreSQL generates their names.
 */
const SOURCES: readonly string[] = [
  `SELECT format('column %s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN ' not null' ELSE '' END,
     CASE WHEN a.attcollation <> t.typcollation THEN ' collate ' || a.attcollation::regcollation ELSE '' END) AS line
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
     AND (t.typcategory = 'A' OR a.attcollation <> t.typcollation)`,
  `SELECT format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line
   FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype NOT IN ('n', 't')
     AND (contype NOT IN ('p', 'u', 'f') OR condeferrable OR NOT convalidated)`,
  `SELECT format('index %s', indexdef) AS line FROM pg_indexes WHERE schemaname = 'public'
     AND indexdef !~ '^CREATE (UNIQUE )?INDEX \\w+ ON (ONLY )?public\\.("\\w+"|\\w+) USING btree \\((("\\w+"|\\w+)(, )?)+\\)$'`,
  `SELECT format('trigger %s%s', pg_get_triggerdef(oid), CASE WHEN tgenabled = 'O' THEN '' ELSE ' (disabled)' END) AS line
   FROM pg_trigger WHERE NOT tgisinternal`,
  `SELECT format('function %s %s%s', p.oid::regprocedure, md5(p.prosrc),
     CASE WHEN p.prosecdef THEN ' security definer, ' || coalesce(array_to_string(p.proconfig, ', '), 'no settings') ELSE '' END) AS line
   FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace`,
  `SELECT format('enum %s: %s', t.typname, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)) AS line
   FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname`,
  `SELECT format('partition %s of %s %s', c.relname, i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid)) AS line
   FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relispartition AND c.relnamespace = 'public'::regnamespace`,
  `SELECT format('table %s%s%s', relname, CASE relpersistence WHEN 'u' THEN ' unlogged' ELSE '' END, CASE WHEN relrowsecurity THEN ' row security' ELSE '' END) AS line
   FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND (relpersistence = 'u' OR relrowsecurity)`,
  `SELECT format('view or sequence %s', relname) AS line FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'p', 'i', 'I', 't')`,
];

/** Returns the structure of the database that Prisma's comparison does not check, as sorted lines. */
export async function readCatalogue(db: Queryable): Promise<string> {
  const lines: string[] = [];
  for (const text of SOURCES) lines.push(...(await db.query<{ line: string }>({ text })).map(({ line }) => line));
  return `${lines
    .filter((line) => !line.includes('_prisma_migrations'))
    .sort()
    .join('\n')}\n`;
}
