/** The style of the form: fields, chips of the networks, and buttons. */
const FORM_STYLE = `
label,legend,summary{font-weight:600}
label{display:block}
.hint+label,#mobile+label{margin-top:.375rem}
fieldset{border:0;margin:.25rem 0 0;padding:0;min-width:0}
legend{padding:0}
input{width:100%;font:inherit;font-size:1.25rem;line-height:1.3;padding:.5rem .75rem;border:1px solid #6b7a71;border-radius:.5rem;background:#fff;color:inherit;margin:.25rem 0}
input,progress{accent-color:#0b5d3b}
.chips{margin:.25rem -.25rem 0 0}
.chips label{display:inline-block;width:calc(50% - .25rem);min-width:7.5rem;margin:0 .25rem .375rem 0;padding:.625rem .375rem;border:1px solid #b9c4bc;border-radius:.5rem;font-size:.9375rem;font-weight:400;vertical-align:top}
.chips .wide{width:calc(100% - .25rem)}
.chips input,.check input{width:1.125rem;height:1.125rem;margin:0 .25rem 0 0;vertical-align:-.1875rem}
:checked+span{font-weight:600}
.check{display:flex;align-items:center;margin:0;padding:.625rem 0;font-size:.9375rem;font-weight:400}
.check input{flex:none;margin-right:.5rem}
.mark{display:inline-block;padding:0 .4375rem;border:1px solid transparent;border-radius:.375rem;font-size:.8125rem;line-height:1.375rem;font-weight:700;max-width:100%}
.vodacom{background:#e60000;color:#fff}
.yas{background:#ffc400;color:#1b3f94}
.airtel{background:#fff;color:#d7001f;border-color:#d7001f}
.halotel{background:#f47c20;color:#14231c}
.ttcl{background:#0071bc;color:#fff}
[aria-invalid=true]{border:2px solid #a61b1b}
button,.button{display:block;width:100%;font:inherit;font-size:min(1.0625rem,6vw);font-weight:700;padding:.8125rem .5rem;margin-top:.375rem;border:0;border-radius:.5rem;background:#0b5d3b;color:#fff;text-align:center;text-decoration:none}
.button{background:#fff;color:#0b5d3b;border:1px solid #0b5d3b}
summary{padding:.5rem 0;cursor:pointer}
.net summary{font-size:.875rem;margin:-.375rem 0;padding:.75rem 0;font-weight:400}
[open]>summary.button{display:none}
.net summary,summary.button{list-style:none}
.net summary::-webkit-details-marker,summary.button::-webkit-details-marker{display:none}
summary u{color:#0b5d3b}
.lock{display:flex;margin:.625rem 0 0}
#other{margin-top:.75rem}
.lock svg{flex:none;width:1.25rem;height:1.25rem;margin-right:.375rem}`;

/** The style of a prompt that waits for the customer. */
const WAITING_STYLE = `
.left{display:flex;flex-wrap:wrap;align-items:center;margin:.75rem 0}
.left div{flex:1 1 8rem;min-width:0}
.left svg{flex:none;width:7rem;height:7rem;margin-right:1rem}
#left{display:block;font-size:1.75rem;line-height:1.2;font-variant-numeric:tabular-nums}
#ring{transition:stroke-dashoffset 1s linear}
#ring.turn{stroke-dasharray:25 75;stroke-dashoffset:0!important;transform-origin:50% 50%;animation:turn 1.2s linear infinite}
@keyframes turn{to{transform:rotate(270deg)}}`;

/** The style of QR codes, receipts and printed pages. Links and backgrounds are not printed. */
const RECEIPT_STYLE = `
dt small{display:block}
.payments dt{flex:1 1 9rem;min-width:0}
.payments div+div{margin-top:.375rem}
.payments dd{flex:none}
.code{font:700 1.375rem/1.4 ui-monospace,Menlo,Consolas,monospace;text-align:center;margin:1rem 0 0}
.qr{display:block;width:11rem;max-width:100%;margin:.5rem auto}
.large{width:20rem}
@media print{body{background:#fff;font-size:10pt}main{font-size:inherit}main,header{padding:0}.screen,header a{display:none}.card{border:0;padding:0}.qr{width:3.5cm;break-inside:avoid}}
`.trim();

/**
 * The colours of the page in dark mode. Paper is always white. This style repeats the selectors, because Opera Mini does not support custom
 * properties. Colours have a contrast of at least 4.5:1.
 */
const DARK_STYLE = `
@media screen and (prefers-color-scheme:dark){
body,input{background:#101613;color:#e6ede8}
.mine .lines{stroke:#101613}
.card,.button{background:#18211c;border-color:#3a4a41}
header b,a,summary u,.button,.do svg,.good svg,.art svg{color:#5fcf98}
.button{border-color:#5fcf98}
button{background:#5fcf98;color:#0c1410}
input,progress,.chips input,.check input{accent-color:#5fcf98}
input,.chips label{border-color:#7b8a81}
dt,footer,.hint,.small,.rest svg{color:#a5b5ab}
dl,.card *+dl{border-color:#3a4a41}
.wait,.note,.test{background:#2a2113;border-color:#6b5730}
.test,.wait svg,dd.over{color:#f2bd6b}
.good{background:#15281e;border-color:#2f5c43}
.bad{background:#2b1a19;border-color:#7a403c}
.error,.bad svg{color:#ff9d94}
[aria-invalid=true]{border-color:#ff9d94}
:focus-visible{outline-color:#ffb454}
}`.trim();

/**
 * The inlined style of the page. Colours have a contrast of at least 4.5:1. The style does not depend on flexbox gaps, `:has()` or custom
 * properties, which old browsers and Opera Mini lack. An amount is never broken into two lines, because people would read only the first: its
 * font is limited by the width of the window, and only other long words break.
 */
export const PAY_STYLE = `
*{box-sizing:border-box}
:root{color-scheme:light dark}
body{margin:0;background:#f3f5f2;color:#14231c;font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;text-wrap:pretty}
header,main{max-width:30rem;margin:0 auto;padding:.25rem 1rem}
main{padding-top:.375rem;font-size:min(1.0625rem,8vw)}
.off{max-width:30rem;margin:0 auto;padding:0 1rem}
header{display:flex;justify-content:space-between;align-items:center;min-height:3.5rem}
header b{font-size:1.125rem;letter-spacing:.02em;color:#0b5d3b}
a{color:#0b5d3b}
header a{padding:.625rem 0 .625rem .75rem}
header .mine{display:flex;align-items:center;padding-left:0;text-decoration:none}
.mine svg{margin-right:.5rem}
.mine .lines{stroke:#f3f5f2}
.card{background:#fff;border:1px solid #d5ddd7;border-radius:.75rem;padding:.75rem .875rem;margin:0 0 .5rem;overflow-wrap:break-word}
h1{display:flex;align-items:center;font-size:1.25rem;font-size:min(1.25rem,8vw);line-height:1.25;margin:0}
h2{font-size:1.0625rem;margin:1rem 0 .375rem}
h2:first-child{margin-top:0}
svg[aria-hidden]{fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
h1 svg{flex:none;margin-right:.5rem}
h1 span{min-width:0}
.calm h1{font-size:1.0625rem;font-size:min(1.0625rem,8vw)}
.calm h1 svg{width:1.5rem;height:1.5rem}
p,ul,ol{margin:.5rem 0}
.card>p:last-child{margin-bottom:0}
ul,ol{padding-left:1.25rem}
dl{margin:0;font-size:.9375rem;font-size:min(.9375rem,7.5vw)}
.card *+dl{border-top:1px solid #d5ddd7;margin-top:.5rem;padding-top:.25rem}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;padding:.0625rem 0}
dt{color:#46584e;padding-right:.5rem}
dd.over{color:#8a5200}
dd{flex:1 1 7rem;margin:0;text-align:right;font-weight:600;max-width:100%}
.sum{display:flex;flex-wrap:wrap;align-items:baseline;margin:.125rem 0 0;font-size:9.5vw;font-size:min(2.375rem,9.5vw);line-height:1.2;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.sum b{margin-right:.5rem;white-space:nowrap}
.sum small{font-size:.9375rem;line-height:1.4;letter-spacing:0}
.for{margin:.125rem 0 0;font-size:1rem;line-height:1.35}
.part{font-size:.875rem}
.long{font-size:6.5vw;font-size:min(1.75rem,6.5vw)}
.center{text-align:center}
.center a,footer a{display:inline-block;padding:.75rem .625rem}
:focus-visible{outline:3px solid #c77700;outline-offset:2px}
h1:focus{outline:0}
progress{display:block;width:100%;height:.625rem;margin:.25rem 0}
footer{max-width:30rem;margin:0 auto;padding:.5rem 1rem 1rem;color:#46584e;font-size:.875rem;text-align:center}
footer p{margin:0}
.hint,.small{color:#46584e;font-size:.9375rem}
.hint{margin:0}
.error{color:#a61b1b}
.say,#say{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%)}
.do svg,.good svg,.art svg{color:#0b5d3b}
.art{text-align:center}
.art h1{display:block}
.art .sum{justify-content:center}
.wait,.note{border-color:#e3c48f;background:#fff8ec}
.wait svg{color:#8a5200}
.good h1 svg{width:2.5rem;height:2.5rem}
.good{border-color:#a9cdb9;background:#eef7f1}
.bad{border-color:#e2b9b6;background:#fdf3f2}
.bad svg{color:#a61b1b}
.rest svg{color:#46584e}
.test{margin:0 0 .375rem;padding:.1875rem .5rem;border-radius:.375rem;background:#fff1d6;color:#6b3d00;text-align:center;font-size:.875rem;font-weight:600}${FORM_STYLE}${WAITING_STYLE}
${RECEIPT_STYLE}
${DARK_STYLE}
@media print{header{min-height:0}footer{padding:0}.card{margin:0}.card dl{border:0;margin:0;padding:0}dl div{padding:0}p{margin:.25rem 0}}
`.trim();

/** The product's icon for the tab of a browser. The page contains it, because a file would need another request on a slow connection. */
export const PAGE_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0b5d3b" d="M3 1h18v22l-3-2.2-3 2.2-3-2.2-3 2.2-3-2.2-3 2.2z"/><path stroke="#fff" stroke-width="2.2" d="M7 7.5h10M7 12h6"/></svg>',
)}`;
