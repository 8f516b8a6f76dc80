/** Optional: asks every few seconds whether the page would say something else, and loads it again when it does. */
export const PAY_POLLER = `
(function(){var d=document.documentElement.dataset,v=d.version,n=0;
function ask(){fetch(d.poll,{headers:{accept:"text/plain"}}).then(function(r){return r.ok?r.text():v}).then(function(t){
if(t!==v)location.reload();else again()},again)}
function again(){n++;setTimeout(ask,n<20?2000:n<60?5000:20000)}
again();
addEventListener("pageshow",function(e){if(e.persisted)location.reload()})})();
`.trim();
