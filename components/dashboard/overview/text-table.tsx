import { Cell, Row, Table } from '@/components/ui/table';

interface TextTableProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of texts. The first cell of each row is its header. */
export function TextTable({ title, columns, rows }: TextTableProps) {
  return (
    <Table caption={title} columns={columns}>
      {rows.map((cells) => (
        <Row key={cells[0]}>
          {cells.map((cell, index) => (
            <Cell key={columns[index]} label={columns[index] ?? ''}>
              {index === 0 ? <strong>{cell}</strong> : cell}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
