import { z } from 'zod';
import type { Queryable } from '@/lib/platform/db/database';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const nodeSchema: z.ZodType<PlanNode> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
  Plans: z.array(z.lazy(() => nodeSchema)).optional(),
});
const planSchema = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: nodeSchema })]) })]);

/** A read of a table in an executed plan. */
export interface Scan {
  readonly kind: string;
  readonly table: string;
  /** The number of rows that the scan read, including rows that were filtered out. */
  readonly rows: number;
}

/**
 * Returns a database for a store function. Runs each statement of the function with EXPLAIN ANALYZE, and records which tables the statement
 * reads and which indexes it uses. The function gets no rows.
 */
export function explaining(db: Queryable): { db: Queryable; scans: Scan[]; indexes: Set<string> } {
  const scans: Scan[] = [];
  const indexes = new Set<string>();
  return {
    scans,
    indexes,
    db: {
      async query({ text }, values) {
        const rows = await db.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}` }, values);
        const [{ 'QUERY PLAN': plans }] = planSchema.parse(rows);
        scans.push(...scansIn(plans[0].Plan));
        for (const name of indexesIn(plans[0].Plan)) indexes.add(name);
        return [];
      },
    },
  };
}

function scansIn(node: PlanNode): Scan[] {
  const { 'Relation Name': table, 'Node Type': kind, 'Actual Loops': loops } = node;
  const rows = Math.round((node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * loops);
  const own = table !== undefined && kind.includes('Scan') ? [{ kind, table, rows }] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansIn)];
}

function indexesIn(node: PlanNode): string[] {
  const name = node['Index Name'];
  return [...(name === undefined ? [] : [name]), ...(node.Plans ?? []).flatMap(indexesIn)];
}
