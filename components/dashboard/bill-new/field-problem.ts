import type { RowProblem } from '@/lib/bills/import/import-rules';
import { SENTI_PER_SHILLING } from '@/lib/core/money';
import { formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';

/** Returns the text of a field's error. */
export function billFieldProblem({ code, row }: Pick<RowProblem, 'code' | 'row'>, maxShillings: number, locale: Locale): string {
  const t = translator(locale, 'BillField');
  switch (code) {
    case 'amount_required':
    case 'amount_not_number':
    case 'amount_not_positive':
    case 'amount_too_precise':
    case 'reference_required':
    case 'reference_too_long':
    case 'reference_control_characters':
    case 'reference_used':
    case 'mobile_invalid':
      return t(code);
    case 'amount_too_large':
      return t(code, { max: formatMoney(BigInt(maxShillings) * SENTI_PER_SHILLING) });
    case 'reference_twice':
      return t(code, { row: String(row ?? '') });
    default:
      throw new Error(`${code} is not an error of a bill's field`);
  }
}
