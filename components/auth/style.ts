/**
 * The style of the pages for signing in, beside the common style of the public pages: a card below a green band on a phone, and beside a
 * panel with the brand on a large screen. The panel needs some height, because its text must not be cut off at a large zoom.
 */
export const AUTH_STYLE = `
.wide{min-height:100vh}
.wide header,.wide main,.wide footer{max-width:27rem}
.wide .card{padding:1.375rem 1.25rem;border-radius:1rem;box-shadow:0 .125rem .25rem rgba(20,35,28,.06),0 .75rem 2rem rgba(20,35,28,.09)}
.wide h1{display:block;font-size:1.5rem;font-size:min(1.5rem,9vw);letter-spacing:-.015em}
.lead{margin:.25rem 0 0;color:#46584e}
.wide form,.tell,.card>.button{margin-top:1.125rem}
.field{margin-bottom:.875rem}
.field .hint,.field .error{margin:.125rem 0 0;font-size:.9375rem}
.wide label{font-size:.9375rem}
.wide input{min-height:3rem;font-size:1.0625rem}
.wide .pin{font-size:1.5rem;letter-spacing:.5em;text-align:center}
.secret{position:relative}
.secret input{padding-right:6.5rem}
.wide .show{position:absolute;right:.125rem;top:.375rem;width:auto;min-width:2.75rem;min-height:2.75rem;margin:0;padding:0 .625rem;background:none;color:#0b5d3b;font-size:.9375rem;font-weight:600;text-decoration:underline;text-underline-offset:2px}
.show[hidden]{display:none}
button[type=submit]{min-height:3.125rem;margin-top:.25rem}
.tell{display:flex;padding:.625rem .75rem;border:1px solid #d5ddd7;border-radius:.625rem;font-size:.9375rem}
.tell svg{flex:none;width:1.5rem;height:1.5rem;margin-right:.625rem}
.tell p{margin:0}
.tell p+p{margin-top:.25rem}
.more{margin:.875rem 0 -.5rem;padding:.375rem 0 0;border-top:1px solid #d5ddd7;list-style:none}
.more a{display:block;padding:.6875rem 0;font-size:.9375rem;font-weight:600}
.pick{display:flex;align-items:center;min-height:3rem;margin-top:.5rem;padding:.5rem .75rem;border:1px solid #b9c4bc;border-radius:.625rem}
.wide .pick input{flex:none;width:1.25rem;height:1.25rem;min-height:0;margin:0 .75rem 0 0}
.pick span,.who span{min-width:0;font-weight:400}
.pick b,.who b{display:block;font-size:1.0625rem}
.who{display:flex;align-items:center}
.who svg{flex:none;width:2.75rem;height:2.75rem;margin-right:.75rem;padding:.625rem;border-radius:50%;background:#e2f0e8;color:#0b5d3b}
.fill{background:#0b5d3b;color:#fff}
.panel{display:none}
footer p{margin:.25rem 0}
footer a{display:inline-block;padding:.25rem 0}
@media(max-width:63.99rem){
.wide{background:#f3f5f2 linear-gradient(#0b5d3b,#0b5d3b) no-repeat 0 0/100% 7rem}
.wide header a,.wide header b{color:#fff}
.wide header :focus-visible{outline-color:#ffb454}
.wide .lines{stroke:#0b5d3b}
}
@media(min-width:64rem) and (min-height:34rem){
.wide{display:flex;flex-direction:column;padding-left:44%}
.wide header,.wide main,.wide footer{width:100%}
.wide main{flex:1 0 auto;display:flex;flex-direction:column;justify-content:center}
.wide .card{padding:2rem}
.panel{display:flex;flex-direction:column;justify-content:center;position:fixed;left:0;top:0;bottom:0;width:44%;padding:2.5rem 3.5rem;background:#0b5d3b linear-gradient(155deg,#0f7049,#0b5d3b 45%,#07432a);color:#fff}
.panel b{display:block;font-size:2.25rem;line-height:1.15;letter-spacing:-.02em}
.panel p{max-width:26rem}
.panel svg{width:17rem;max-width:100%;height:auto;max-height:40vh;margin:0 0 2rem -.5rem}
}
@media screen and (prefers-color-scheme:dark){
.lead{color:#a5b5ab}
.fill{background:#5fcf98;color:#0c1410}
.wide .show{background:none;color:#5fcf98}
.more,.tell{border-color:#3a4a41}
.tell.wait{border-color:#6b5730}
.tell.good{border-color:#2f5c43}
.tell.bad{border-color:#7a403c}
.pick{border-color:#7b8a81}
.who svg{background:#1f3a2c;color:#5fcf98}
}
@media screen and (max-width:63.99rem) and (prefers-color-scheme:dark){
.wide{background:#101613 linear-gradient(#0c3d29,#0c3d29) no-repeat 0 0/100% 7rem}
.wide .lines{stroke:#0c3d29}
}`;
