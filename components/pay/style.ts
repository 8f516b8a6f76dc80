/** The style of QR codes, receipts and printed pages. Links and backgrounds are not printed. */
const RECEIPT_STYLE = `
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

/**
 * The inlined style of the page. Colours have a contrast of at least 4.5:1. It does not depend on flexbox gaps or `:has()`, which old
 * browsers lack.
 */
export const PAY_STYLE = `
*{box-sizing:border-box}
body{margin:0;background:#f3f5f2;color:#14231c;font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main{max-width:30rem;margin:0 auto;padding:.25rem 1rem}
.off{max-width:30rem;margin:0 auto;padding:0 1rem}
header{display:flex;justify-content:space-between;align-items:center}
header b{font-size:1.125rem;letter-spacing:.02em;color:#0b5d3b}
a,summary{color:#0b5d3b}
header a{padding:.5rem 0}
.card{background:#fff;border:1px solid #d5ddd7;border-radius:.75rem;padding:1rem;margin:0 0 .75rem;overflow-wrap:anywhere}
h1{display:flex;align-items:center;font-size:1.375rem;line-height:1.25;margin:0}
h1 svg{flex:none;margin-right:.625rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
p,ul,ol{margin:.5rem 0}
ul,ol{padding-left:1.25rem}
dl{margin:0}
.card *+dl{border-top:1px solid #d5ddd7;margin-top:.75rem;padding-top:.5rem}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;padding:.1875rem 0}
dt{color:#46584e;padding-right:1rem}
dd{margin:0 0 0 auto;text-align:right;font-weight:600;max-width:100%}
label,legend,summary{font-weight:600}
label{display:block;margin-top:.25rem}
.hint+label{margin-top:.875rem}
fieldset{border:0;margin:.875rem 0 0;padding:0;min-width:0}
legend{padding:0}
input{width:100%;font:inherit;font-size:1.25rem;padding:.625rem .75rem;border:1px solid #6b7a71;border-radius:.5rem;background:#fff;color:inherit;margin:.25rem 0}
.chips{margin:.25rem -.25rem 0 0}
.chips label{display:inline-block;width:calc(50% - .25rem);margin:0 .25rem .375rem 0;padding:.625rem .375rem;border:1px solid #b9c4bc;border-radius:.5rem;font-size:.9375rem;font-weight:400;vertical-align:top}
.chips .wide{width:calc(100% - .25rem)}
.chips input,.check input{width:1.125rem;height:1.125rem;margin:0 .25rem 0 0;vertical-align:-.1875rem;accent-color:#0b5d3b}
:checked+span{font-weight:600}
.check{display:flex;align-items:center;margin:.75rem 0 0;padding:.375rem 0;font-weight:400}
.check input{flex:none;margin-right:.5rem}
.mark{display:inline-block;width:.75rem;height:.75rem;margin-right:.25rem;border-radius:50%;border:.375rem solid #6b7a71}
.vodacom{border-color:#e60000}
.yas{border-color:#ffc400 #ffc400 #1b3f94 #1b3f94}
.airtel{border:.1875rem solid #d7001f}
.halotel{border-color:#f47c20}
.ttcl{border-color:#0071bc}
[aria-invalid=true]{border:2px solid #a61b1b}
button,.button{display:block;width:100%;font:inherit;font-weight:700;padding:.8125rem 1rem;margin-top:.75rem;border:0;border-radius:.5rem;background:#0b5d3b;color:#fff;text-align:center;text-decoration:none}
.button{background:#fff;color:#0b5d3b;border:1px solid #0b5d3b}
summary{padding:.75rem 0}
:focus-visible{outline:3px solid #c77700;outline-offset:2px}
h1:focus{outline:0}
progress{display:block;width:100%;height:.75rem;accent-color:#0b5d3b}
footer{max-width:30rem;margin:0 auto;padding:.5rem 1rem 1rem;color:#46584e;font-size:.875rem}
.hint,.small{color:#46584e;font-size:.9375rem}
.error{color:#a61b1b;font-weight:600}
#left{font-variant-numeric:tabular-nums}
#say{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%)}
.do svg,.good svg{color:#0b5d3b}
.wait,.note{border-color:#e3c48f;background:#fff8ec}
.wait svg{color:#8a5200}
.good{border-color:#a9cdb9;background:#eef7f1}
.bad{border-color:#e2b9b6;background:#fdf3f2}
.bad svg{color:#a61b1b}
.rest svg{color:#46584e}
.test{margin:0 0 .5rem;text-align:center}
${RECEIPT_STYLE}
@media print{.card{margin:0}.card dl{border:0;margin:0;padding:0}dl div{padding:0}p{margin:.25rem 0}}
`.trim();
