/** What a cell begins with that a spreadsheet takes for a formula; the wide forms are those of East Asian keyboards. */
const FORMULA = new Set('=+-@＝＋－＠');
/** What may stand between the place where some reader begins a cell and its first character: separators, quotes, and what is not seen. */
const GAP = /[,;\s"\p{C}]+/gu;
const SEPARATOR = /[,;\t\r\n]/;
/** Whether anything may have to be done: in most cells nothing, of which there may be millions. */
const DOUBTFUL = /(?:^|[,;\s"\p{C}])[=+\-@＝＋－＠]/u;

/**
 * Pure. Puts a ' before each character of a cell's text that would begin a formula, wherever a reader may begin a cell: at the start,
 * and after a comma, semicolon, tab or line break, for a spreadsheet that separates by another of these than the file was written with
 * takes the cell apart there and no quotes hold it together (OWASP, "CSV Injection"). Everything else stays as it is: `A;B`, `a-b`,
 * `1 + 1`. Doing it twice changes nothing more.
 */
export function disarmFormulas(cell: string): string {
  if (!DOUBTFUL.test(cell)) return cell;
  const inside = cell.replace(GAP, (gap: string, at: number) => {
    const begins = at === 0 || SEPARATOR.test(gap);
    return begins && FORMULA.has(cell.charAt(at + gap.length)) ? `${gap}'` : gap;
  });
  return FORMULA.has(inside.charAt(0)) ? `'${inside}` : inside;
}
