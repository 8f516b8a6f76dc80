/**
 * The optional script of the payment page. It polls the page's version, and replaces the content when the version has changed. Typed
 * values, the focus and unfolded sections are kept. A live region announces the new heading.
 * It polls less and less often, pauses while the page is hidden, and continues when the page is visible or the device is online again. At
 * the slowest pace it stops after ten minutes. After two failed requests in a row, the page says that the device is offline.
 * It also shows the countdown, using `performance.now()` because the clock of the device may be wrong, and the network of the number's
 * prefix.
 */
export const PAY_POLLER = `
(()=>{
var d=document,h=d.documentElement.dataset,n=0,f=0,t,k;
function $(s,p){return(p||d).querySelector(s)}
function clock(){
clearInterval(k);var e=$("#left"),z;if(!e)return;z=performance.now()+ +e.dataset.ms;
function tick(){var s=Math.max(0,Math.ceil((z-performance.now())/1e3));e.textContent=(s/60|0)+":"+("0"+s%60).slice(-2);s||clearInterval(k)}
tick();k=setInterval(tick,1e3)}
function later(e){
var s=h.pace=="slow",b=$("#again");
f=e instanceof TypeError?f+1:0;$("#off").hidden=f<2;if(b)b.style.opacity=1;
clearTimeout(t);if(!d.hidden&&h.pace&&!(s&&n>40))t=setTimeout(ask,s?15e3:n<20?2e3:n<60?5e3:2e4);n++}
function get(u){return fetch(u,{cache:"no-store"}).then(a=>{if(!a.ok)throw a;return a.text()})}
function ask(){clearTimeout(t);if(h.here)get(h.here+"&part=version").then(v=>v!=h.version&&get(h.here).then(show)).then(later,later)}
function show(x){
var p=new DOMParser().parseFromString(x,"text/html"),o=$("main"),a=d.activeElement,b=o.contains(a),q,e;
o.querySelectorAll("input[id]").forEach(i=>{var j=$("#"+i.id,p);
if(j){j.checked=i.checked;if(i.value!=i.defaultValue)j.value=i.value}});
e=$("#beside",p);q=$("#beside");if(e&&q)e.open=q.open;
o.replaceWith($("main",p));
["version","pace","here"].forEach(x=>h[x]=p.documentElement.dataset[x]||"");
d.title=p.title;e=$("h1");
if(b){q=a.id&&$("#"+a.id)||e;q.focus();if(q.type=="tel"||q.type=="text")q.setSelectionRange(a.selectionStart,a.selectionEnd)}
$("#say").textContent=e.textContent;
n=0;clock();guess()}
function guess(){
var i=$("#mobile"),w,x;if(!i)return;
w=/^(?:00)?(?:255)?0?([67]\\d)/.exec(i.value.replace(/\\D/g,""));
w=w&&RegExp("(\\\\w+):[^;]*"+w[1]).exec(i.form.dataset.prefixes);x=w&&$("#net-"+w[1]);
$("#guess").innerHTML=x?"· "+x.nextSibling.innerHTML:""}
d.oninput=guess;
d.onclick=e=>{e=e.target;if(e.id=="again"){e.style.opacity=.5;n=0;f=1;ask();return false}};
d.addEventListener("visibilitychange",()=>{n=0;d.hidden?clearTimeout(t):ask()});
ononline=ask;
onpageshow=e=>e.persisted?ask():later();
clock();guess();(t=$("[aria-invalid]"))&&t.focus()})();
`.trim();
