import { mobileProblemText } from '@/components/pay/form-problem';
import type { RowProblem } from '@/lib/backoffice/import/import-rules';
import { INFO_PROBLEMS, type InfoProblem, isInfoProblem } from '@/lib/gateway/bills/create/typed-bill';
import type { NewBillFailure } from '@/lib/gateway/bills/schema';
import { mobileProblem } from '@/lib/platform/core/mobile';
import { SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** The errors in the fields of a form or a file. In contrast to JSON of the API, all values are texts, so none has a wrong type. */
type FieldCode = Exclude<NewBillFailure, `${string}_not_string`> | 'reference_used' | 'reference_twice' | 'reference_changed' | InfoProblem;

const CODES: Readonly<Record<Exclude<FieldCode, InfoProblem>, true>> = {
  amount_required: true,
  amount_not_number: true,
  amount_not_positive: true,
  amount_too_precise: true,
  amount_too_large: true,
  reference_required: true,
  reference_too_long: true,
  reference_control_characters: true,
  reference_used: true,
  reference_twice: true,
  reference_changed: true,
  mobile_invalid: true,
};

function isFieldCode(code: string): code is FieldCode {
  return Object.hasOwn(CODES, code) || isInfoProblem(code);
}

/** Returns what is wrong with a field. @param mobile the mobile number as it was typed, if the form has one */
export function billFieldProblem(
  { code, row }: Pick<RowProblem, 'code' | 'row'>,
  maxShillings: number,
  locale: Locale,
  mobile?: string,
): string {
  const t = translator(locale, 'BillField');
  if (!isFieldCode(code)) throw new Error(`${code} is not an error of a bill's field`);
  if (code === 'mobile_invalid' && mobile !== undefined) return mobileProblemText(mobileProblem(mobile), locale);
  if (code === 'amount_too_large') return t(code, { max: formatMoney(BigInt(maxShillings) * SENTI_PER_SHILLING) });
  if (code === 'reference_twice') return t(code, { row: String(row ?? '') });
  if (isInfoProblem(code)) return t(code, { max: String(INFO_PROBLEMS[code]) });
  return t(code);
}
