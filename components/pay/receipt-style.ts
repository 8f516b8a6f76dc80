/** For QR codes, receipts and paper. Paper gets neither links nor grounds. */
export const RECEIPT_STYLE = `
h2{font-size:1.0625rem;margin:1rem 0 .375rem}
dt small{display:block}
.code{font:700 1.375rem/1.4 ui-monospace,Menlo,Consolas,monospace;text-align:center;margin:1rem 0 0}
.qr{display:block;width:11rem;max-width:100%;margin:.5rem auto}
.large{width:20rem}
.center{text-align:center}
.share{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:0 .75rem}
@media print{body{background:#fff;font-size:11pt}.screen,header a{display:none}.card{border:0;padding:0;break-inside:avoid}.qr{width:3.5cm}}
`.trim();
