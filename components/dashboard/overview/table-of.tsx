import { Cell, Row, Table } from '@/components/ui/table';
import type { TableView } from './present-charts';

/** A table of texts. The first cell of each row is its header. */
export function TableOf({ title, columns, rows, whole = true }: Omit<TableView, 'text'> & { readonly whole?: boolean }) {
  return (
    <Table caption={title} columns={columns}>
      {rows.map((cells) => (
        <Row key={cells[0]}>
          {cells.map((cell, index) => (
            <Cell key={columns[index]} label={columns[index] ?? ''} whole={whole}>
              {index === 0 ? <strong>{cell}</strong> : cell}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
