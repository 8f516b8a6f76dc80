import { parseDecimal, SENTI_PER_SHILLING, type Senti, toWholeShillings } from './money';

/**
 * Texts of QR codes that a merchant shows and a customer scans (EMVCo, merchant-presented mode). Each field has an identifier of two digits,
 * a length of two digits, and a value. TANQR is the profile of Tanzania: its merchant account is in the template 26 with the identifier below.
 */
const TANQR = 'tz.go.bot.tips';
/** The number of the Tanzanian shilling in ISO 4217. */
const SHILLING = '834';
/** Longer texts make codes that many phones cannot scan. */
const MAX_LENGTH = 512;
const NAME_MAX_LENGTH = 25;

/** What is wrong with the text of a QR code. */
type QrProblem = 'unreadable' | 'checksum' | 'currency' | 'amount';

/** The fields of a QR text that this product uses. Null or empty for a field that the text does not have. */
interface QrFields {
  /** Senti; null if the customer types the amount. */
  readonly amount: Senti | null;
  readonly currency: string;
  /** Two letters. */
  readonly country: string;
  readonly merchantName: string;
  /** The number of the bill or of the order, from the template of additional data. */
  readonly reference: string;
}

/** Returns CRC-16/CCITT-FALSE (polynomial 0x1021, start value 0xFFFF) as four upper-case hexadecimal digits. */
function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** Splits a text into its fields. Returns null if a length does not fit or a field is repeated. */
function readFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const [, id, length] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    const end = at + 4 + Number(length);
    if (id === undefined || end > text.length || fields.has(id)) return null;
    fields.set(id, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

/** Reads an amount of shillings such as `5000`, `5000.5` or `5000.00`. Returns senti; null if it is not an amount above zero. */
function readAmount(text: string): Senti | null {
  const parsed = /^\d{1,10}(\.\d\d?)?$/.test(text) ? parseDecimal(text) : null;
  const amount = parsed && (parsed.digits * SENTI_PER_SHILLING) / 10n ** BigInt(parsed.decimals);
  return amount || null;
}

/** Reads the text of a QR code, or returns what is wrong with it. Does not compare it with a bill. */
export function readQr(text: string): QrFields | QrProblem {
  const fields = text.length > MAX_LENGTH ? null : readFields(text);
  const crc = fields?.get('63');
  if (fields?.get('00') !== '01' || crc?.length !== 4 || !text.endsWith(`6304${crc}`)) return 'unreadable';
  if (checksum(text.slice(0, -4)) !== crc.toUpperCase()) return 'checksum';
  const typed = fields.get('54');
  const amount = typed === undefined ? null : readAmount(typed);
  if (typed !== undefined && amount === null) return 'unreadable';
  const [currency = '', country = '', merchantName = ''] = ['53', '58', '59'].map((id) => fields.get(id));
  if (currency !== SHILLING) return 'currency';
  return { amount, currency, country, merchantName, reference: readFields(fields.get('62') ?? '')?.get('05') ?? '' };
}

/**
 * Checks the text of a QR code before a customer sees it.
 * @param amount what the customer has to pay, senti.
 * @returns the problem; null if there is none.
 */
export function checkQr(text: string, amount: Senti): QrProblem | null {
  const read = readQr(text);
  if (typeof read === 'string') return read;
  return read.amount === null || read.amount === amount ? null : 'amount';
}

interface NewQr {
  /** The code of the payment company. */
  readonly acquirer: string;
  /** The number of the merchant account. */
  readonly account: string;
  readonly merchantName: string;
  /** The number of the bill or of the order. */
  readonly reference: string;
  /** Senti, a multiple of 100; null if the customer types the amount. */
  readonly amount: Senti | null;
}

/** Creates the TANQR text of one payment. Letters that not every scanner reads are left out of the name. */
export function formatQr({ acquirer, account, merchantName, reference, amount }: NewQr): string {
  const name = merchantName
    .normalize('NFKD')
    .replace(/[^ -~]/g, '')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, NAME_MAX_LENGTH)
    .trim();
  const text = [
    field('00', '01'),
    field('01', '12'),
    field('26', field('00', TANQR) + field('01', acquirer) + field('02', account)),
    field('52', '0000'),
    field('53', SHILLING),
    amount === null ? '' : field('54', toWholeShillings(amount).toString()),
    field('58', 'TZ'),
    field('59', name || 'MERCHANT'),
    field('60', 'DAR ES SALAAM'),
    field('62', field('05', reference)),
    '6304',
  ].join('');
  return text + checksum(text);
}

function field(id: string, value: string): string {
  return `${id}${value.length.toString().padStart(2, '0')}${value}`;
}
