import { RECEIPT_STYLE } from './receipt-style';

/** The page's whole style, inlined. The colours keep 4.5:1 contrast on their grounds. */
export const PAY_STYLE = `
*{box-sizing:border-box}
body{margin:0;background:#f3f5f2;color:#14231c;font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:30rem;margin:0 auto;padding:1rem}
header{display:flex;justify-content:space-between;align-items:center;max-width:30rem;margin:0 auto;padding:.75rem 1rem 0}
header b{font-size:1.125rem;letter-spacing:.02em;color:#0b5d3b}
a{color:#0b5d3b}
header a{padding:.5rem 0}
.card{background:#fff;border:1px solid #d5ddd7;border-radius:.75rem;padding:1rem;margin:.75rem 0}
h1{font-size:1.375rem;line-height:1.25;margin:.25rem 0 .5rem;overflow-wrap:anywhere}
p{margin:.5rem 0;overflow-wrap:anywhere}
dl{margin:0;display:grid;gap:.375rem}
dl div{display:flex;justify-content:space-between;gap:1rem}
dt{color:#46584e}
dd{margin:0;text-align:right;overflow-wrap:anywhere;min-width:0;font-weight:600}
label{display:block;font-weight:600;margin-top:.25rem}
input,select{width:100%;font:inherit;font-size:1.25rem;padding:.625rem .75rem;border:1px solid #6b7a71;border-radius:.5rem;background:#fff;color:inherit;margin:.25rem 0}
select{appearance:none;padding-right:2.5rem;background:#fff url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 8'%3E%3Cpath d='M1 1l5 5 5-5' fill='none' stroke='%2346584e' stroke-width='2'/%3E%3C/svg%3E") no-repeat right .875rem center/.75rem}
.hint+label{margin-top:.875rem}
[aria-invalid=true]{border:2px solid #a61b1b}
button,.button{display:block;width:100%;font:inherit;font-weight:700;padding:.8125rem 1rem;margin-top:.75rem;border:0;border-radius:.5rem;background:#0b5d3b;color:#fff;text-align:center;text-decoration:none}
.button{background:#fff;color:#0b5d3b;border:1px solid #0b5d3b}
:focus-visible{outline:3px solid #c77700;outline-offset:2px}
footer{max-width:30rem;margin:0 auto;padding:0 1rem 1rem;color:#46584e;font-size:.875rem}
.hint,.small{color:#46584e;font-size:.9375rem}
.error{color:#a61b1b;font-weight:600}
.note{border-left:4px solid #c77700;background:#fff8ec}
.good{border-left:4px solid #0b5d3b}
.bad{border-left:4px solid #a61b1b}
${RECEIPT_STYLE}
`.trim();
