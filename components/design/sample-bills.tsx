import { Badge } from '@/components/ui/badge';
import { RowLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import { addMs } from '@/lib/core/clock';
import { formatAmount, formatRecent } from '@/lib/i18n/format';
import { type SampleBill, TEXTS } from './samples';

/** A list of bills, with rows that are links. */
export function SampleBills({ bills, now }: { readonly bills: readonly SampleBill[]; readonly now: Date }) {
  return (
    <Table
      caption={TEXTS.list}
      columns={[TEXTS.reference, { text: TEXTS.amount, numeric: true }, TEXTS.status, { text: TEXTS.created, numeric: true }]}
    >
      {bills.map(({ reference, amount, badge, age }) => (
        <Row key={reference} pairs linked>
          <Cell>
            <RowLink href="#list">{reference}</RowLink>
          </Cell>
          <Cell place="right" numeric value={formatAmount(amount)} />
          <Cell>
            <Badge {...badge} />
          </Cell>
          <Cell place="right" numeric value={formatRecent(addMs(now, -age), now, 'en')} />
        </Row>
      ))}
    </Table>
  );
}
