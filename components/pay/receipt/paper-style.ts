import { STAMPS } from './stamp';

const stamps = Object.entries(STAMPS)
  .map(([kind, { colour }]) => `.paper.${kind} .stamp{color:${colour}}`)
  .join('');

/** The style of a receipt. It looks like paper in the dark mode too. Only the receipt's page inlines it. */
export const PAPER_STYLE = `
.paper{position:relative;background:#fff;color:#14231c;padding:1.25rem 5vw .5rem;padding:1.25rem min(1.25rem,5vw) .5rem;margin:0 0 1.75rem;border-radius:.5rem .5rem 0 0;overflow-wrap:break-word;text-align:center;font-variant-numeric:tabular-nums}
.paper:after{content:"";position:absolute;left:0;right:0;top:100%;height:.625rem;background:linear-gradient(135deg,#fff .44rem,transparent 0) 0 0/1.25rem 100%,linear-gradient(225deg,#fff .44rem,transparent 0) 0 0/1.25rem 100%}
.paper h1{display:block;font-size:1rem;color:#46584e;text-transform:uppercase;letter-spacing:.08em;margin:.125rem 0 0}
.paper h2{font-size:.9375rem;margin:1rem 0 .25rem;color:#46584e}
.paper .top{margin:0;font-weight:600}
.paper .figure{margin:.25rem 0 0;white-space:nowrap;font-size:8.5vw;font-size:min(2.75rem,8.5vw);line-height:1.15;font-weight:800;letter-spacing:-.02em}
.paper .stamp{display:inline-flex;align-items:center;margin:.75rem 0 1rem;padding:.25rem .875rem;border:.1875rem double;border-radius:.5rem;font-size:1.1875rem;line-height:1.25;letter-spacing:.05em;transform:rotate(-4deg)}
.paper .stamp svg{fill:none;stroke:currentColor;stroke-width:2.25;stroke-linecap:round;stroke-linejoin:round;margin-right:.375rem;flex:none}
${stamps}
.paper dl{text-align:left;border-top:1px dashed #b9c4bc;padding-top:.5rem}
.paper dt,.paper .small{color:#46584e}
.paper .payments dt b{color:#14231c}
.paper dt small{display:block}
.paper .check{display:flex;flex-wrap:wrap;align-items:center;border-top:1px dashed #b9c4bc;margin-top:.75rem;padding-top:.75rem}
.paper .check>div{flex:1 1 10rem;min-width:0}
.paper .check h2{margin:0}
.paper .qr{width:9rem;margin:0 auto}
.paper .code{margin:0;font-size:1.25rem}
.paper .small{font-size:.875rem}
.band{background:#fff1d6;color:#6b3d00;border-radius:.375rem;padding:.375rem .5rem;margin:0 0 .75rem;font-weight:600;font-size:.9375rem}
.acts,.ways{display:flex;flex-wrap:wrap;margin:0 -.25rem}
.acts .button,.ways .button{flex:1 1 9rem;width:auto;margin:.5rem .25rem 0}
@media print{.acts,.ways{display:none}.paper{padding:0;margin:0;font-size:10pt}.paper:after{display:none}.paper .figure{font-size:min(26pt,8.5vw)}.band{border:1px solid}}
`.trim();
