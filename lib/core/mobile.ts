declare const brand: unique symbol;
/** A Tanzanian mobile number in national form: `0712345678`. */
export type Mobile = string & { readonly [brand]: 'Mobile' };

const NATIONAL = /^0[67]\d{8}$/;

/**
 * Accepts the ways people write a number: `0712 345 678`, `+255-712-345-678`, `255712345678`.
 * @returns the national form, or null when it is no Tanzanian mobile number.
 */
export function parseMobile(text: string): Mobile | null {
  const digits = text.replace(/[ \u00a0-]/g, '');
  const national = digits.replace(/^\+?255/, '0');
  return isMobile(national) ? national : null;
}

function isMobile(text: string): text is Mobile {
  return NATIONAL.test(text);
}

/** @returns `255712345678`, the form most providers take. */
export function toInternational(mobile: string): string {
  return `255${mobile.slice(1)}`;
}

/** @returns `0712 *** 678`: enough for its owner to recognise, too little for anybody else. */
export function maskMobile(mobile: string): string {
  return `${mobile.slice(0, 4)}\u00a0***\u00a0${mobile.slice(7)}`;
}
