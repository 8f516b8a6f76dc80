import { Fold } from '@/components/ui/fold';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';

interface ChartTableProps {
  readonly title: string;
  readonly open: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly href: string | null; readonly cells: readonly string[] }[];
}

/** The numbers of a chart as a table, below the chart. */
export function ChartTable({ title, open, columns, rows }: ChartTableProps) {
  const [first = '', ...others] = columns;
  return (
    <Fold title={open} about={title} className="mt-1 text-small">
      <Table caption={title} columns={[first, ...others.map((text) => ({ text, numeric: true }))]}>
        {rows.map(({ name, href, cells }) => (
          <Row key={name}>
            <Cell label={first}>{href === null ? <strong>{name}</strong> : <TextLink href={href}>{name}</TextLink>}</Cell>
            {others.map((column, index) => (
              <Cell key={column} label={column} numeric value={cells[index] ?? ''} />
            ))}
          </Row>
        ))}
      </Table>
    </Fold>
  );
}
