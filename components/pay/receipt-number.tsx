import { isUuid } from '@/lib/core/ids';

/** A provider's receipt number. Some providers use UUIDs, which nobody reads: they are small and break at their hyphens. */
export function ReceiptNumber({ number }: { readonly number: string }) {
  if (!isUuid(number)) return <b>{number}</b>;
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = number.split('-');
  return (
    <small>
      {first}-<wbr />
      {second}-<wbr />
      {third}-<wbr />
      {fourth}-<wbr />
      {fifth}
    </small>
  );
}
