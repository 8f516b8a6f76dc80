import { Badge } from '@/components/ui/badge';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import { addMs } from '@/lib/core/clock';
import { formatAmount, formatRecent } from '@/lib/i18n/format';
import { type SampleBill, TEXTS } from './samples';

/** A table of bills. On a narrow screen each row is a card. */
export function SampleBills({ bills, now }: { readonly bills: readonly SampleBill[]; readonly now: Date }) {
  return (
    <Table
      caption={TEXTS.list}
      columns={[TEXTS.reference, { text: TEXTS.amount, numeric: true }, TEXTS.status, { text: TEXTS.created, numeric: true }]}
    >
      {bills.map(({ reference, amount, badge, age }) => (
        <Row key={reference}>
          <Cell>
            <TextLink href="#list">{reference}</TextLink>
          </Cell>
          <Cell label={TEXTS.amount} numeric value={formatAmount(amount)} />
          <Cell label={TEXTS.status}>
            <Badge {...badge} />
          </Cell>
          <Cell label={TEXTS.created} numeric value={formatRecent(addMs(now, -age), now, 'en')} />
        </Row>
      ))}
    </Table>
  );
}
