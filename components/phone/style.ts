/** The style of the page of test phones. The phones look the same in both themes. */
export const PHONE_STYLE = `
body.wide header,body.wide main,body.wide footer,.off{max-width:66rem}
.phones{display:flex;flex-wrap:wrap;justify-content:center;margin:.5rem -.5rem}
.set{width:100%;max-width:20.5rem;margin:0 .5rem 1.25rem}
.phone{background:#23282f;border:2px solid #0d0f12;border-radius:2rem;padding:1.125rem .875rem 1rem;box-shadow:0 .5rem 1.5rem rgba(0,0,0,.25)}
.phone:before{content:"";display:block;width:3.5rem;height:.3125rem;margin:0 auto .75rem;border-radius:1rem;background:#4a525c}
.screen{display:flex;flex-direction:column;min-height:17.5rem;border-radius:.5rem;background:#dcebe3;color:#10201a;overflow:hidden}
.bar{display:flex;justify-content:space-between;padding:.25rem .625rem;background:#10201a;color:#e9f3ee;font-size:.8125rem;font-weight:600}
.home{margin:auto;padding:1rem;text-align:center}
.home b{display:block;font-size:1.375rem;letter-spacing:.02em}
.dark{background:#0b0e11;color:#c4ccd4}
.ussd{margin:.5rem;padding:.75rem;border-radius:.375rem;background:#fff;color:#111;box-shadow:0 1px 6px rgba(0,0,0,.35);font-size:1rem;line-height:1.4;overflow-wrap:anywhere}
.ussd p{margin:0 0 .5rem}
.ussd .means{color:#4a4a4a;font-size:.8125rem}
.ussd .error{color:#a61b1b;font-size:.875rem}
.ussd label{font-size:.875rem}
.ussd input{width:100%;margin:.125rem 0 .25rem;padding:.25rem .5rem;border:0;border-bottom:2px solid #0b5d3b;border-radius:0;background:#f1f6f3;color:#111;font-size:1.5rem;letter-spacing:.35em}
.ussd .row button{background:transparent;color:#0b5d3b;padding:.625rem .25rem;margin:0}
.row{display:flex}
.ussd .row{flex-direction:row-reverse}
.row>*{flex:1;margin:0 .1875rem}
.more>*{display:flex}
.keys{display:none;margin:.75rem 0 0;flex-wrap:wrap;justify-content:space-between}
.js .keys{display:flex}
.keys button{width:31.5%;min-height:3rem;margin:.1875rem 0;padding:.375rem;border:1px solid #0d0f12;border-radius:.75rem;background:#3a424c;color:#fff;font-size:1.375rem;font-weight:600;line-height:1.2}
.keys button:active{background:#5a6572}
.row.more{margin:.5rem -.1875rem 0}
.more button,.add button,.more a{padding:.5625rem .25rem;font-size:.875rem}
.more button,.more a{background:#fff;color:#0b5d3b;border:1px solid #0b5d3b;display:flex;align-items:center;justify-content:center;width:100%;margin:0;border-radius:.5rem;text-align:center;font-weight:700;text-decoration:none}
.card h2{font-size:1.25rem}
.set h3{margin:.75rem 0 .25rem;font-size:1rem}
.past{list-style:none;margin:0;padding:0;font-size:.9375rem}
.past li{padding:.375rem 0;border-top:1px solid #d5ddd7;overflow-wrap:anywhere}
.past b{display:block}
.past .PAID b{color:#0b5d3b}
.ringing{border-color:#ffb454}
.add{display:flex;align-items:flex-end;flex-wrap:wrap}
.add div{flex:1 1 12rem;margin-right:.5rem}
.add button{width:auto;padding:.71875rem 1.25rem;margin-bottom:.25rem}
.sound{display:none}
.js .sound{display:flex}
.test{display:inline-block;margin-top:.375rem;padding:.1875rem .75rem}
@media (prefers-reduced-motion:no-preference){.ringing{animation:shake .45s ease-in-out 4}}
@keyframes shake{0%,100%{transform:none}25%{transform:translateX(-4px) rotate(-.6deg)}75%{transform:translateX(4px) rotate(.6deg)}}
@media screen and (prefers-color-scheme:dark){
.phone{border-color:#4a525c}
.past li{border-color:#3a4a41}
.past .PAID b{color:#5fcf98}
.ussd .row button{color:#0b5d3b}
.more button,.more a{background:#18211c;color:#5fcf98;border-color:#5fcf98}
}`.trim();
