/** The page's whole style, inlined. The colours keep 4.5:1 contrast on their grounds; nothing hangs on flexbox gaps or `:has()`. */
export const PAY_STYLE = `
*{box-sizing:border-box}
body{margin:0;background:#f3f5f2;color:#14231c;font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main{max-width:30rem;margin:0 auto;padding:.5rem 1rem}
header{display:flex;justify-content:space-between;align-items:center}
header b{font-size:1.125rem;letter-spacing:.02em;color:#0b5d3b}
a,summary{color:#0b5d3b}
header a{padding:.5rem 0}
.card{background:#fff;border:1px solid #d5ddd7;border-radius:.75rem;padding:1rem;margin:0 0 .75rem;overflow-wrap:anywhere}
h1{display:flex;align-items:center;font-size:1.375rem;line-height:1.25;margin:0}
h1 svg{flex:none;margin-right:.625rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
h2{font-size:1.0625rem;margin:0 0 .25rem}
p,ul,ol{margin:.5rem 0}
ul,ol{padding-left:1.25rem}
dl{margin:0}
dl div{display:flex;justify-content:space-between;padding:.1875rem 0}
dt{color:#46584e;padding-right:1rem;flex:none;max-width:60%}
dd{margin:0;text-align:right;min-width:0;font-weight:600}
label,legend,summary{font-weight:600}
label{display:block;margin-top:.25rem}
fieldset{border:0;margin:.875rem 0 0;padding:0;min-width:0}
legend{padding:0}
input{width:100%;font:inherit;font-size:1.25rem;padding:.625rem .75rem;border:1px solid #6b7a71;border-radius:.5rem;background:#fff;color:inherit;margin:.25rem 0}
.chips{margin:.25rem -.25rem 0 0}
.chips label{display:inline-block;margin:0 .25rem .375rem 0;padding:.5625rem .75rem .5625rem .625rem;border:1px solid #b9c4bc;border-radius:.5rem;font-weight:400}
.chips input,.check input{width:1.125rem;height:1.125rem;margin:0 .5rem 0 0;vertical-align:-.125rem;accent-color:#0b5d3b}
:checked+span{font-weight:600}
.check{margin:.75rem 0 0;padding:.375rem 0;font-weight:400}
.mark{display:inline-block;width:.75rem;height:.75rem;margin-right:.375rem;border-radius:50%;border:.375rem solid #6b7a71}
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
.hint,.small{color:#46584e;font-size:.9375rem}
.error{color:#a61b1b;font-weight:600}
.until{font-weight:600}
#left{font-variant-numeric:tabular-nums}
#say{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%)}
.do,.wait,.good,.bad,.rest{border-left-width:4px}
.do{border-left-color:#0b5d3b}
.do h1 svg,.good h1 svg{color:#0b5d3b}
.wait{border-left-color:#c77700;background:#fff8ec}
.wait h1 svg{color:#8a5200}
.good{border-left-color:#0b5d3b;background:#eef7f1}
.bad{border-left-color:#a61b1b;background:#fdf3f2}
.bad h1 svg{color:#a61b1b}
.rest{border-left-color:#6b7a71}
`.trim();
