import { type ShopLook, ShopMark, ShopPhone } from '@/components/dashboard/shop-phone';
import { useLocale } from '@/components/ui/texts';
import type { TypedBill } from '@/lib/gateway/bills/create/typed-bill';
import { formatDay } from '@/lib/platform/i18n/format';
import { readDay } from '@/lib/platform/i18n/typed-day';
import { groupAmount } from './group-amount';

/** What the preview shows besides the typed values. In the texts, `{amount}` and `{reference}` stand for the values. */
export interface PreviewFrame extends ShopLook {
  /** The colour of the button. */
  readonly button: string;
  /** The message to the customer, and the title that WhatsApp shows of its link. */
  readonly message: string;
  readonly linkTitle: string;
  /** The host of the link. */
  readonly host: string;
  /** The texts of the payment page and the headings of the two previews. */
  readonly texts: Readonly<
    Record<
      | 'page'
      | 'chat'
      | 'through'
      | 'pay'
      | 'reference'
      | 'referenceNone'
      | 'description'
      | 'customer'
      | 'dueDate'
      | 'mobile'
      | 'mobileHint',
      string
    >
  >;
}

interface BillPreviewProps {
  readonly frame: PreviewFrame;
  readonly typed: Partial<TypedBill>;
}

/** Draws the payment page of the bill that is being typed, and the message about it. */
export function BillPreview({ frame, typed }: BillPreviewProps) {
  const { merchant, logo, mark, header, button, texts, host } = frame;
  const locale = useLocale();
  const amount = `TZS\u00a0${amountOf(typed.amount ?? '')}`;
  const reference = typed.reference?.trim() || texts.referenceNone;
  const fill = (text: string) => text.replaceAll('{amount}', amount).replaceAll('{reference}', reference);
  const due = readDay(typed.dueDate ?? '');
  const facts = [
    { term: texts.reference, value: reference },
    { term: texts.description, value: typed.description?.trim() ?? '' },
    { term: texts.customer, value: typed.customerName?.trim() ?? '' },
    { term: texts.dueDate, value: due === null ? '' : formatDay(new Date(`${due}T12:00:00Z`), locale) },
  ].filter(({ value }) => value !== '');
  return (
    <div className="grid content-start justify-items-center gap-6 text-[#14231c]">
      <figure className="grid w-full max-w-80 gap-2">
        <figcaption className="text-small font-semibold text-muted">{texts.page}</figcaption>
        <ShopPhone {...{ merchant, logo, mark, header }} through={texts.through}>
          <p className={`font-bold tabular-nums wrap-anywhere ${amount.length > 13 ? 'text-xl' : 'text-3xl'}`}>{amount}</p>
          <dl className="grid gap-1 text-sm">
            {facts.map(({ term, value }) => (
              <div key={term} className="flex justify-between gap-3">
                <dt className="shrink-0 text-[#4c5b53]">{term}</dt>
                <dd className="line-clamp-3 min-w-0 text-right font-semibold wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          <div className="grid gap-2 rounded-xl border border-[#d5dcd7] bg-[#ffffff] p-3">
            <span className="text-sm font-semibold">{texts.mobile}</span>
            <span className="min-h-10 rounded-lg border border-[#84938b] px-3 py-2 text-sm text-[#4c5b53]">
              {typed.mobile?.trim() || texts.mobileHint}
            </span>
            <span className="rounded-lg px-3 py-2 text-center font-semibold text-[#ffffff]" style={{ background: button }}>
              {fill(texts.pay)}
            </span>
          </div>
        </ShopPhone>
      </figure>
      <figure className="grid w-full max-w-80 gap-2">
        <figcaption className="text-small font-semibold text-muted">{texts.chat}</figcaption>
        <div className="rounded-2xl bg-[#e6ddd3] p-3">
          <div className="ml-6 rounded-xl rounded-tr-sm bg-[#d9fdd3] p-1.5 text-sm shadow-sm" data-shown="chat">
            <div className="flex items-center gap-3 rounded-lg bg-[#c8eec2] p-2">
              <ShopMark logo={logo} {...mark} />
              <span className="min-w-0">
                <b className="line-clamp-2 wrap-anywhere">{fill(frame.linkTitle)}</b>
                <span className="block text-[#3f5448]">{host}</span>
              </span>
            </div>
            <p className="px-1 pt-1.5 pb-0.5 wrap-anywhere">{fill(frame.message)}</p>
          </div>
        </div>
      </figure>
    </div>
  );
}

/** Returns the digits of a typed amount, such as `12,500`; 0 if it has none. */
function amountOf(typed: string): string {
  const number = /\d[\d,.]*/.exec(typed)?.[0] ?? '';
  return groupAmount(number).replace(/[.,]$/, '') || '0';
}
