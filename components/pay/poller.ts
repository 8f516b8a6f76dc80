/**
 * Optional: asks whether the page would say something else, and then puts what it says now in place. What was typed, what
 * has the focus and what is unfolded stay as they are, and the new heading is announced through a live region that was
 * there before. It asks ever more slowly, not at all while nobody looks, and again when somebody does or the line is back.
 * It also counts down, by the device's stopwatch, as its clock may be wrong; and names the network of a number's prefix.
 */
export const PAY_POLLER = `
(function(){
var d=document,h=d.documentElement.dataset,n=0,t,k;
function $(s,p){return(p||d).querySelector(s)}
function clock(){
clearInterval(k);var e=$("#left"),z;if(!e)return;z=performance.now()+ +e.dataset.ms;
function tick(){var s=Math.max(0,Math.ceil((z-performance.now())/1e3));e.textContent=(s/60|0)+":"+("0"+s%60).slice(-2);s||clearInterval(k)}
tick();k=setInterval(tick,1e3)}
function later(){clearTimeout(t);if(!d.hidden&&h.pace)t=setTimeout(ask,++n<20?2e3:n<60?5e3:2e4)}
function get(u){return fetch(u,{cache:"no-store"}).then(function(a){if(!a.ok)throw a;return a.text()})}
function ask(){clearTimeout(t);if(h.here)get(h.here+"&part=version").then(function(v){
if(v!==h.version)return get(h.here).then(show)}).then(later,later)}
function show(html){
var p=new DOMParser().parseFromString(html,"text/html"),m=$("main",p),o=$("main"),f=d.activeElement,b=o.contains(f),q,e;
o.querySelectorAll("input[id]").forEach(function(i){var j=$("#"+i.id,p);
if(j){j.checked=i.checked;if(i.value!==i.defaultValue)j.value=i.value}});
e=$("#beside",p);q=$("#beside");if(e&&q)e.open=q.open;
o.parentNode.replaceChild(d.adoptNode(m),o);
["version","pace","here"].forEach(function(x){q=p.documentElement.dataset[x];if(q)h[x]=q;else delete h[x]});
d.title=p.title;e=$("h1");
if(b){q=f.id&&$("#"+f.id)||e;q.focus();if(q.type=="tel"||q.type=="text")q.setSelectionRange(f.selectionStart,f.selectionEnd)}
$("#say").textContent=e.textContent;
n=0;clock();guess()}
function guess(){
var i=$("#mobile"),w,x;if(!i)return;
w=/^(?:00)?(?:255)?0?([67]\\d)/.exec(i.value.replace(/\\D/g,""));
w=w&&RegExp("(\\\\w+):[^;]*"+w[1]).exec(i.form.dataset.prefixes);x=w&&$("#net-"+w[1]);
$("#guess").innerHTML=x?"· "+x.nextSibling.innerHTML:""}
d.addEventListener("input",guess);
d.addEventListener("visibilitychange",function(){n=0;d.hidden?clearTimeout(t):ask()});
addEventListener("online",ask);
addEventListener("pageshow",function(e){e.persisted?ask():later()});
clock();guess();(t=$("[aria-invalid]"))&&t.focus()})();
`.trim();
