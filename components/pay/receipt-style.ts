/** The style of QR codes, receipts and printed pages. Links and backgrounds are not printed. */
export const RECEIPT_STYLE = `
h2{font-size:1.0625rem;margin:1rem 0 .375rem}
h2:first-child{margin-top:0}
dt small{display:block}
.payments dd{flex:none}
.code{font:700 1.375rem/1.4 ui-monospace,Menlo,Consolas,monospace;text-align:center;margin:1rem 0 0}
.qr{display:block;width:11rem;max-width:100%;margin:.5rem auto}
.large{width:20rem}
.center{text-align:center}
.center a{display:inline-block;padding:.375rem}
@media print{body{background:#fff;font-size:10pt}main,header{padding:0}.screen,header a{display:none}.card{border:0;padding:0}.qr{width:3.5cm;break-inside:avoid}}
`.trim();
