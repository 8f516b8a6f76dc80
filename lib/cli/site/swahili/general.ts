/** Swahili lines of the API description: its introduction, the groups of operations, the headers, errors and bodies. */
export const GENERAL = {
  // The introduction of the description
  "Bili creates bills in Tanzanian shillings, asks customers' phones to pay them by mobile money, and reports payments by signed webhook.":
    'Bili inatengeneza bili kwa shilingi za Tanzania, inatuma maombi ya malipo kwenye simu za wateja, na inajulisha seva yako malipo kwa webhook yenye saini.',
  '**Environments.** Live and sandbox have the same operations. They differ in the base address and in the keys. In the sandbox no money moves.':
    '**Mazingira.** Halisi na majaribio yana operesheni zilezile. Tofauti ni anwani na funguo. Kwenye majaribio hakuna pesa inayotumwa.',
  '**Authentication.** Send `Authorization: ApiKey <key>:<secret>` with every request. Keep the secret on your server.':
    '**Ufunguo.** Tuma `Authorization: ApiKey <kitambulisho>:<siri>` na kila ombi. Siri ibaki kwenye seva yako.',
  '**Amounts.** JSON numbers in shillings. Answers always write a decimal point (`5000.0`), and at most two decimals.':
    '**Viasi.** Ni shilingi, kama namba za JSON. Majibu huwa na nukta ya desimali kila mara (`5000.0`), na desimali zisizozidi mbili.',
  '**Times.** Unix milliseconds.': '**Nyakati.** Ni milisekunde za Unix.',
  '**Errors.** The body has exactly one member, `error`. Programs use the header `Bili-Error`, whose codes do not change within this version. Another method than those described here is refused with 405, an unknown path with 404. Requests that are not valid HTTP or have too large headers are refused with 400 or 431.':
    '**Makosa.** Body ina sehemu moja tu, `error`. Programu yako iamue kwa header `Bili-Error`: misimbo yake haibadiliki ndani ya toleo hili. Method isiyoelezwa hapa inakataliwa kwa 405, na njia isiyojulikana kwa 404. Ombi ambalo si HTTP sahihi, au lenye header kubwa mno, linakataliwa kwa 400 au 431.',
  '**Request ids.** Every answer has an `X-Request-Id`. Give it to the operator of Bili when you ask about a request. You can choose it: send your own `X-Request-Id`.':
    '**Vitambulisho vya maombi.** Kila jibu lina `X-Request-Id`. Mpe mwendeshaji wa Bili unapouliza kuhusu ombi. Unaweza kukichagua mwenyewe: tuma `X-Request-Id` yako.',
  '**Compatibility.** Answers may get more members, headers and values of reasons: ignore those that you do not know. Unknown members and query parameters of requests are ignored, and named in `Bili-Ignored`.':
    '**Mabadiliko yajayo.** Sehemu, header na sababu mpya zinaweza kuongezwa kwenye majibu: puuza usizozijua. Sehemu za ombi na vigezo vya query ambavyo Bili haivijui havitumiki, na `Bili-Ignored` inavitaja.',

  // The names and texts of the groups of operations
  Bills: 'Bili',
  'Create, find and change bills.': 'Tengeneza, tafuta na badilisha bili.',
  History: 'Historia',
  'What happened to one bill: its payments, payment requests and events.':
    'Yaliyotokea kwa bili moja: malipo yake, maombi yake ya malipo na matukio yake.',
  Events: 'Matukio',
  'Follow the changes of all bills, for servers that cannot receive webhooks.':
    'Fuatilia mabadiliko ya bili zote, kwa seva zisizoweza kupokea webhook.',
  Networks: 'Mitandao',
  'Whose customers can pay now.': 'Mitandao ambayo wateja wake wanaweza kulipa sasa.',
  Sandbox: 'Majaribio',
  'Control the time of the sandbox.': 'Sogeza muda wa majaribio.',
  Description: 'Hati ya API',
  'This description of the API.': 'Hati hii ya OpenAPI.',

  // The operation that returns the description
  'Get this description': 'Soma hati hii',
  'Returns the OpenAPI description of this installation. Public: it needs no key, and every website may read it.':
    'Inarudisha hati ya OpenAPI ya Bili hii. Ni ya wazi: haihitaji ufunguo, na tovuti yoyote inaweza kuisoma.',
  'The `ETag` of the description that you have.': '`ETag` ya hati uliyonayo.',

  // Headers of requests
  'Your own id for this request: 8 to 100 letters, digits, `.`, `_` or `-`. Bili repeats it in the answer. Ignored if it is malformed.':
    'Kitambulisho chako cha ombi hili: herufi, tarakimu, `.`, `_` au `-`, kuanzia 8 hadi 100. Bili inakirudisha kwenye jibu. Kisipokuwa sahihi, hakitumiki.',
  'Only in the sandbox: what happens to the payment requests of the bill, whatever the number is, or how the API refuses this request. Live ignores it.':
    'Kwenye majaribio tu: kitakachotokea kwa maombi ya malipo ya bili, namba yoyote iwayo, au jinsi API inavyokataa ombi hili. Mazingira halisi hayaijali.',
  'Your name for this request, for example the order number, in printable ASCII characters. It makes a retry safe.':
    'Jina lako la ombi hili, kwa mfano namba ya oda, kwa herufi za ASCII zinazoonekana. Inakuwezesha kurudia ombi bila hatari.',

  // Headers of answers
  "The id of the request: yours, or one that Bili made. Give it to Bili's operator when you ask about a request.":
    'Kitambulisho cha ombi: chako, au ambacho Bili imetengeneza. Mpe mwendeshaji wa Bili unapouliza kuhusu ombi.',
  'The rate limit of the key: `q` requests in `w` seconds.': 'Kikomo cha kasi cha ufunguo: maombi `q` ndani ya sekunde `w`.',
  '`r` requests are left now, and all are available again in `t` seconds.':
    'Yamebaki maombi `r` sasa, na baada ya sekunde `t` yote yanapatikana tena.',
  'Seconds to wait before the next request.': 'Sekunde za kusubiri kabla ya ombi linalofuata.',
  'The names of query parameters and of members of the body that were ignored: unknown ones, and optional members with an invalid value.':
    'Majina ya vigezo vya query na ya sehemu za body ambavyo havikutumika: visivyojulikana, na sehemu za hiari zenye thamani isiyo sahihi.',
  'An earlier request with the same `Idempotency-Key` did the work.': 'Ombi la awali lenye `Idempotency-Key` ileile lilishafanya kazi hii.',
  'The address at which this installation explains the error.': 'Anwani ya maelezo ya kosa kwenye Bili hii.',
  'The path of the earlier bill.': 'Njia ya bili ya awali.',
  'The scheme of the `Authorization` header.': 'Muundo wa header `Authorization`.',

  // The body of an error
  'An error. It always has exactly one member.': 'Kosa. Daima lina sehemu moja tu.',
  'What is wrong, in English. Programs use the header `Bili-Error` instead.':
    'Tatizo ni nini, kwa Kiingereza. Programu yako iamue kwa header `Bili-Error`.',

  // The key scope that an operation needs, and the body of a request
  'The key needs the scope `create`.': 'Ufunguo unahitaji ruhusa (scope) `create`.',
  'The key needs the scope `read`.': 'Ufunguo unahitaji ruhusa (scope) `read`.',
  'The key needs the scope `events`.': 'Ufunguo unahitaji ruhusa (scope) `events`.',
  'A JSON object of at most 64 KiB. Unknown members are ignored.': 'Object ya JSON isiyozidi KiB 64. Sehemu zisizojulikana hazitumiki.',
  'A JSON object of at most 64 KiB. Unknown members are ignored. The body may be empty.':
    'Object ya JSON isiyozidi KiB 64. Sehemu zisizojulikana hazitumiki. Body inaweza kuwa tupu.',
  'A JSON object of at most 1 MiB. Unknown members are ignored.': 'Object ya JSON isiyozidi MiB 1. Sehemu zisizojulikana hazitumiki.',
};
