/**
 * Optional: asks whether the page would say something else, and then puts what it says now in place. What was typed, what
 * has the focus and what is unfolded stay as they are, and the new heading is announced through a live region that was
 * there before. It asks ever more slowly, not at all while nobody looks, and again when somebody does or the line is back.
 * It also counts down, by the device's stopwatch, as its clock may be wrong; and names the network of a number's prefix.
 */
export const PAY_POLLER = `
(function(){
var d=document,h=d.documentElement.dataset,n=0,t,k;
function id(x){return d.getElementById(x)}
function clock(){
clearInterval(k);var e=id("left"),end;if(!e)return;end=performance.now()+ +e.dataset.ms;
function tick(){var s=Math.max(0,Math.ceil((end-performance.now())/1e3));e.textContent=(s/60|0)+":"+("0"+s%60).slice(-2);s||clearInterval(k)}
tick();k=setInterval(tick,1e3)}
function later(){clearTimeout(t);if(!d.hidden&&h.pace)t=setTimeout(ask,++n<20?2e3:n<60?5e3:2e4)}
function get(u){return fetch(u,{cache:"no-store"}).then(function(r){if(!r.ok)throw r;return r.text()})}
function ask(){clearTimeout(t);if(h.here)get(h.here+"&part=version").then(function(v){
return v===h.version?later():get(h.here).then(show).then(later)}).catch(later)}
function show(html){
var p=new DOMParser().parseFromString(html,"text/html"),m=p.querySelector("main"),old=d.querySelector("main"),f=d.activeElement,q,e;
old.querySelectorAll("input[id]").forEach(function(i){var j=p.getElementById(i.id);
if(j){if(i.checked!==i.defaultChecked)j.checked=i.checked;if(i.type!=="radio"&&i.value!==i.defaultValue)j.value=i.value}});
e=p.getElementById("beside");q=id("beside");if(e&&q)e.open=q.open;
q=old.contains(f);old.parentNode.replaceChild(d.adoptNode(m),old);
e=p.documentElement.dataset;h.version=e.version;e.pace?h.pace=e.pace:delete h.pace;e.here||delete h.here;
d.title=p.title;
if(q){e=f.id&&id(f.id)||id("state");e.focus();try{e.setSelectionRange(f.selectionStart,f.selectionEnd)}catch(x){}}
e=id("state").parentNode;q=e.querySelector("p");id("say").textContent=e.querySelector("h1").textContent+". "+(q?q.textContent:"");
n=0;clock();guess()}
function guess(){
var i=id("mobile"),g=id("guess"),v,w,x;if(!i||!g)return;
v=i.value.replace(/\\D/g,"").replace(/^(00)?2550?/,"0").replace(/^[67]/,"0$&").slice(1,3);
w=v.length>1&&new RegExp("(\\\\w+):[^;]*"+v).exec(i.form.dataset.prefixes);x=w&&id("net-"+w[1]);
g.innerHTML=x?"· "+x.nextSibling.innerHTML:""}
d.addEventListener("input",guess);
d.addEventListener("visibilitychange",function(){n=0;d.hidden?clearTimeout(t):ask()});
addEventListener("online",ask);
addEventListener("pageshow",function(e){e.persisted?ask():later()});
clock();guess();var b=d.querySelector("[aria-invalid]");b&&b.focus()})();
`.trim();
