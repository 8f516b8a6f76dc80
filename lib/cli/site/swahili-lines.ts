/**
 * The lines of the API description in Swahili, by their English text. The build fails if a line of the description is missing here, or if a
 * line here is no longer in the description.
 */
export const SWAHILI_LINES: Readonly<Record<string, string>> = {
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
  Instruments: 'Njia za kulipa bila ombi',
  'Numbers, QR codes and links with which customers pay without a payment request.':
    'Namba, QR na viungo ambavyo mteja analipia bila kutumiwa ombi kwenye simu.',
  Refunds: 'Kurudisha pesa',
  'Give money back to customers.': 'Rudishia wateja pesa.',
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
  'The key needs the scope `record`.': 'Ufunguo unahitaji ruhusa (scope) `record`.',
  'The key needs the scope `refund`.': 'Ufunguo unahitaji ruhusa (scope) `refund`.',
  'A JSON object of at most 64 KiB. Unknown members are ignored.': 'Object ya JSON isiyozidi KiB 64. Sehemu zisizojulikana hazitumiki.',
  'A JSON object of at most 64 KiB. Unknown members are ignored. The body may be empty.':
    'Object ya JSON isiyozidi KiB 64. Sehemu zisizojulikana hazitumiki. Body inaweza kuwa tupu.',
  'A JSON object of at most 1 MiB. Unknown members are ignored.': 'Object ya JSON isiyozidi MiB 1. Sehemu zisizojulikana hazitumiki.',

  // The operation that creates a bill
  'Create a bill': 'Tengeneza bili',
  'Creates a bill. With `mobile`, Bili sends a payment request (a USSD prompt) to the phone, and the answer does not wait for it. Without `mobile`, send the customer to `webPayUrl`.':
    'Inatengeneza bili. Yenye `mobile` inatuma pia ombi la malipo (USSD) kwenye simu, na jibu halilisubiri. Bila `mobile`, mpeleke mteja kwenye `webPayUrl`.',
  'Send an `Idempotency-Key`: a repetition with the same amount, reference and number gets the first answer again, byte for byte, for 24 hours. Bili ignores members that it does not know and optional members with an invalid value, and names them in `Bili-Ignored`.':
    'Tuma `Idempotency-Key`: kwa saa 24, ombi lililorudiwa lenye kiasi, kumbukumbu na namba vilevile linapata jibu la kwanza, baiti kwa baiti. Bili haitumii sehemu isizozijua wala sehemu za hiari zenye thamani isiyo sahihi, na inazitaja kwenye `Bili-Ignored`.',
  'Shillings, with at most 2 decimals.': 'Shilingi, zenye desimali zisizozidi 2.',
  'Your own text, for example an order number. No control characters, not blank. Returned exactly as it was sent.':
    'Maandishi yako mwenyewe, kwa mfano namba ya oda. Yasiwe tupu wala na herufi za udhibiti. Yanarudishwa kama yalivyotumwa.',
  "The customer's number: `0712345678`, `255712345678` or `+255 712-345-678`. `null` and an empty text count as none.":
    'Namba ya simu ya mteja: `0712345678`, `255712345678` au `+255 712-345-678`. `null` na maandishi tupu ni sawa na kutotuma namba.',

  // The optional members of a new bill
  'What the customer pays for. The payment page and the receipt show it.':
    'Mteja analipia nini. Yanaonekana kwenye ukurasa wa malipo na kwenye risiti.',
  "The customer's name and e-mail address.": 'Jina na barua pepe ya mteja.',
  'The payment page and the receipt show it.': 'Linaonekana kwenye ukurasa wa malipo na kwenye risiti.',
  'For the merchant. Bili sends nothing to it.': 'Ni kwa ajili ya biashara. Bili haitumi chochote kwenye anwani hiyo.',
  'Unix milliseconds of any instant of the East African day on which the bill is due.':
    'Siku ya mwisho ya kulipa: milisekunde za Unix za wakati wowote wa siku hiyo, kwa saa za Afrika Mashariki.',
  'Your own texts by name, for example ids of your system. Customers do not see them.':
    'Maandishi yako mwenyewe kwa majina, kwa mfano vitambulisho vya mfumo wako. Wateja hawayaoni.',
  'Unix milliseconds. From this time on, nobody is asked to pay the bill, and it is closed.':
    'Milisekunde za Unix. Kuanzia wakati huu hakuna anayeombwa kulipa bili, na Bili inaifunga.',
  "The page of your shop to which the payment page links. Its origin must be one of the merchant's return addresses.":
    'Ukurasa wa duka lako ambao ukurasa wa malipo una kiungo chake. Anwani ya duka lazima iwe imewekwa kwenye mipangilio ya dashibodi.',
  'The language of the payment page, unless the visitor has chosen one.': 'Lugha ya ukurasa wa malipo, isipokuwa mteja amechagua nyingine.',

  // These members when a bill is read
  'What the customer pays for.': 'Mteja analipia nini.',
  'Who pays the bill.': 'Anayelipa bili.',
  "The customer's name.": 'Jina la mteja.',
  "The customer's e-mail address. Bili sends nothing to it.": 'Barua pepe ya mteja. Bili haitumi chochote kwenye anwani hiyo.',
  'The last millisecond of the day on which the bill is due (East Africa Time). Unix milliseconds.':
    'Milisekunde ya mwisho ya siku ya mwisho ya kulipa (saa za Afrika Mashariki). Milisekunde za Unix.',
  'Your own texts by name.': 'Maandishi yako mwenyewe kwa majina.',
  'From this time on, nobody is asked to pay the bill. Unix milliseconds.':
    'Kuanzia wakati huu hakuna anayeombwa kulipa bili. Milisekunde za Unix.',
  'The page of your shop to which the payment page links.': 'Ukurasa wa duka lako ambao ukurasa wa malipo una kiungo chake.',
  'The language of the payment page.': 'Lugha ya ukurasa wa malipo.',

  // The operation that creates many bills
  'Create up to 500 bills': 'Tengeneza hadi bili 500',
  'Creates up to 500 bills, each as if it had been sent alone. The answer has one result for each bill, in their order: one mistake does not refuse the others.':
    'Inatengeneza hadi bili 500, kila moja kama ingetumwa peke yake. Jibu lina matokeo ya kila bili, kwa mpangilio wake. Kosa la moja haliathiri nyingine.',
  'Send an `Idempotency-Key`, or an `idempotencyKey` with each bill: then a repetition with the same bills in the same order creates none twice.':
    'Tuma `Idempotency-Key`, au `idempotencyKey` ndani ya kila bili: hapo ombi lililorudiwa lenye bili zilezile kwa mpangilio uleule halitengenezi bili yoyote mara mbili.',
  'The bills, at most 500.': 'Bili, zisizozidi 500.',
  'One result for each bill, in their order.': 'Matokeo ya kila bili, kwa mpangilio wake.',

  // The operation that checks a bill without creating it
  'Check a bill without creating it': 'Kagua bili bila kuitengeneza',
  'Checks the body of a new bill, creates nothing, and says which payment request would be sent. If creating the bill would fail, the answer is the same error.':
    'Inakagua body ya bili mpya bila kutengeneza chochote, na inasema ombi gani la malipo lingetumwa. Kama bili isingetengenezwa, jibu ni kosa lilelile.',
  'In national form, or null if the request has no number.': 'Kwa muundo wa `07…` au `06…`. Null kama ombi halina namba.',
  'The payment request that would be sent. Null if the request has no number.':
    'Ombi la malipo ambalo lingetumwa. Null kama ombi halina namba.',
  'The members that would be ignored, as in `Bili-Ignored`.': 'Sehemu ambazo zisingetumika, kama kwenye `Bili-Ignored`.',
  "The network of the number's prefix.": 'Mtandao wa namba, kutokana na tarakimu za mwanzo.',
  'Whether the prefix belongs to a network. If not, live sends no payment request to the number until the operator adds the prefix.':
    'Kama tarakimu za mwanzo ni za mtandao unaojulikana. Kama sivyo, mazingira halisi hayatumi ombi la malipo kwa namba hiyo hadi mwendeshaji aongeze tarakimu hizo.',
  'What the phone would ask for, a whole number. Shillings, always with a decimal point.':
    'Kiasi ambacho kingeombwa kwenye simu, namba kamili. Shilingi, daima zenye nukta ya desimali.',
  'The name that the phone shows as the receiver, or null if it is unknown.':
    'Jina la mpokeaji linaloonekana kwenye simu. Null kama halijulikani.',
  'Why no payment request could be sent now, or null.': 'Kwa nini ombi la malipo lisingeweza kutumwa sasa, au null.',

  // Operations that read bills
  'Get a bill': 'Soma bili',
  'Returns a bill with its present status. Call it when a webhook arrives, before you hand over the goods. While a customer waits in front of your page, you may call it every 5 seconds.':
    'Inarudisha bili na hali yake ya sasa. Isome webhook inapofika, kabla ya kumpa mteja bidhaa. Mteja anaposubiri mbele ya ukurasa wako, unaweza kuisoma kila baada ya sekunde 5.',
  'The id of the bill.': 'Kitambulisho cha bili.',
  'List bills': 'Orodhesha bili',
  'Returns bills, newest first. Use it to find a bill whose answer you lost, by its reference. To follow payments, use webhooks or the event feed: a bill that is paid does not move in this list.':
    'Inarudisha bili, mpya kwanza. Itumie kutafuta, kwa kumbukumbu, bili ambayo jibu lake ulilipoteza. Kufuatilia malipo, tumia webhook au mtiririko wa matukio: bili ikilipwa haibadilishi nafasi kwenye orodha hii.',
  'While `more` is true, send `cursor` as `after` with the next request, and keep the other parameters the same. An answer may have fewer bills than `limit`, even none, while `more` is true: one request reads at most 2,000 bills to find those of a filter. With `from` and `to` it reads only the bills of that time.':
    'Maadamu `more` ni true, tuma `cursor` kama `after` kwenye ombi linalofuata, na vigezo vingine vilevile. Jibu linaweza kuwa na bili chache kuliko `limit`, au lisiwe na bili yoyote, huku `more` ni true: ombi moja husoma bili zisizozidi 2,000 kutafuta zinazofaa. Ukiweka `from` na `to`, linasoma bili za muda huo tu.',
  'Only bills with this status.': 'Bili zenye hali hii tu.',
  'Only bills with exactly this reference.': 'Bili zenye kumbukumbu hii hasa tu.',
  'Only bills with this number as `mobile`: `0712345678`, `255712345678` or `+255 712-345-678`.':
    'Bili zenye namba hii kama `mobile` tu: `0712345678`, `255712345678` au `+255 712-345-678`.',
  'Only bills that have all of these texts in `metadata`, for example `metadata[order_id]=17`.':
    'Bili zenye maandishi yote haya kwenye `metadata` tu, kwa mfano `metadata[order_id]=17`.',
  'Only bills that were created at this time or later, Unix milliseconds.':
    'Bili zilizotengenezwa wakati huu au baadaye tu, milisekunde za Unix.',
  'Only bills that were created before this time, Unix milliseconds.': 'Bili zilizotengenezwa kabla ya wakati huu tu, milisekunde za Unix.',
  'The cursor of an earlier answer to the same query. The answer starts with the bill behind it.':
    '`cursor` ya jibu lililotangulia kwa vigezo vilevile. Jibu linaanza na bili inayofuata.',
  'How many bills the answer has at most.': 'Idadi ya juu ya bili kwenye jibu.',
  'Continue with this value of `after`. Null if there are no more bills.':
    'Endelea kwa thamani hii ya `after`. Null kama hakuna bili zaidi.',
  'Whether there are more bills behind these.': 'Kama kuna bili zaidi baada ya hizi.',

  // Operations that change a bill or send a payment request
  'Send a payment request': 'Tuma ombi la malipo',
  'Asks a phone to pay what is left of the bill. The answer does not wait for the customer: read the outcome from `lastAttempt` of the bill, or wait for the webhook. The body may be empty.':
    'Inatuma kwenye simu ombi la kulipa kilichobaki. Jibu halimsubiri mteja: soma matokeo kwenye `lastAttempt` ya bili, au subiri webhook. Body inaweza kuwa tupu.',
  'Send an `Idempotency-Key`: a repetition, at any later time, sends no second request, and returns the first one in its present state.':
    'Tuma `Idempotency-Key`: ombi lililorudiwa, wakati wowote baadaye, halitumi ombi la pili kwenye simu, na linarudisha la kwanza katika hali yake ya sasa.',
  'The number to ask, as when a bill is created. Without it, the number of the bill.':
    'Namba ya kutumiwa ombi, kama wakati wa kutengeneza bili. Ukiiacha, inatumika namba ya bili.',
  'Close a bill': 'Funga bili',
  'Closes a bill, for example because the order was cancelled: nobody can pay it, and no more payment requests are sent for it. Closing a closed bill changes nothing and succeeds. A bill with an open payment request cannot be closed, because the customer may still approve it. The body may be empty.':
    'Inafunga bili, kwa mfano oda ikighairiwa: hakuna anayeweza kuilipa, na maombi ya malipo hayatumwi tena. Ukifunga bili iliyofungwa, hakuna kinachobadilika na jibu ni la kufanikiwa. Bili yenye ombi la malipo lililo wazi haiwezi kufungwa, kwa sababu mteja bado anaweza kuidhinisha. Body inaweza kuwa tupu.',
  'Why, for the history of the bill in the dashboard.': 'Sababu, kwa historia ya bili kwenye dashibodi.',
  'Reopen a bill': 'Fungua bili tena',
  'Opens a closed bill again. Reopening an open bill changes nothing and succeeds. The body may be empty.':
    'Inafungua tena bili iliyofungwa. Ukifungua bili iliyo wazi, hakuna kinachobadilika na jibu ni la kufanikiwa. Body inaweza kuwa tupu.',

  // Operations that read the history of a bill
  'List the payments of a bill': 'Orodhesha malipo ya bili',
  'Returns what was booked on the bill, oldest first. The sum of the amounts is `paidAmount`.':
    'Inarudisha malipo, urejeshaji na masahihisho ya bili, ya zamani kwanza. Jumla ya viasi ni `paidAmount`.',
  'List the payment requests of a bill': 'Orodhesha maombi ya malipo ya bili',
  'Returns the payment requests that were sent to phones for the bill, oldest first.':
    'Inarudisha maombi ya malipo ya bili yaliyotumwa kwenye simu, ya zamani kwanza.',
  'List the events of a bill': 'Orodhesha matukio ya bili',
  'Returns the events of the bill in order, up to 1,000. Each has the body of the webhook that reports it.':
    'Inarudisha matukio ya bili kwa mpangilio, hadi 1,000. Kila moja lina body ya webhook yake.',

  // Recorded payments
  'Record a payment': 'Rekodi malipo',
  'Records money that a person received for the bill, for example cash. The status of the bill follows, with a webhook, as for every payment. Only a person corrects such a payment, in the dashboard.':
    'Inarekodi pesa ambazo mtu amepokea kwa bili, kwa mfano taslimu. Hali ya bili hubadilika, na webhook hutumwa, kama kwa malipo yote. Ni mtu tu anayesahihisha malipo ya aina hii, kwenye dashibodi.',
  'While a payment request is open, it is refused to record more than what the request leaves, because the customer would pay twice. Send an `Idempotency-Key`: it is required. A repetition, at any later time, records nothing and returns the same payment.':
    'Ombi la malipo likiwa wazi, huwezi kurekodi zaidi ya kinachobaki baada ya ombi hilo, kwa sababu mteja angelipa mara mbili. Tuma `Idempotency-Key`: ni lazima. Ukirudia ombi wakati wowote baadaye, hakuna kinachorekodiwa, na unapata malipo yaleyale.',
  'How the money was received.': 'Pesa zilivyopokelewa.',
  'When it was received: a day such as `2026-11-20`, or a time with an offset. At most one year ago. Without it, now.':
    'Zilipokelewa lini: siku kama `2026-11-20`, au wakati wenye offset. Si zaidi ya mwaka mmoja uliopita. Bila hiyo, sasa.',
  'The number of the slip. A merchant may use it once.': 'Namba ya stakabadhi. Biashara inaweza kuitumia mara moja.',
  'A note for the history of the bill in the dashboard.': 'Dokezo kwa historia ya bili kwenye dashibodi.',
  'Whether the amount may be more than what is left of the bill.': 'Kama kiasi kinaweza kuzidi kilichobaki cha bili.',
  'A payment that a person received.': 'Malipo ambayo mtu amepokea.',
  'The number of the slip; the id of the payment if it has none.': 'Namba ya stakabadhi; kitambulisho cha malipo kama haipo.',
  'The amount, without later corrections. Shillings, always with a decimal point.':
    'Kiasi, bila masahihisho ya baadaye. Shilingi, daima zenye nukta ya desimali.',
  'When the money was received. Unix milliseconds.': 'Pesa zilipokelewa lini. Milisekunde za Unix.',
  'When the payment was recorded. Unix milliseconds.': 'Malipo yalirekodiwa lini. Milisekunde za Unix.',

  // Payment instruments
  'Ask for payment instruments': 'Omba njia za kulipa bila ombi',
  "Asks the provider for the ways to pay the bill that need no payment request: a number for the menu of the wallet, a QR code, a link to the provider's page. The answer does not wait for the provider. It has the instruments of the bill; read them again a second later. A request without a body is enough.":
    'Inamwomba mtoa huduma njia za kulipa bili bila ombi kwenye simu: namba ya kuweka kwenye menyu ya pesa za simu, QR, au kiungo cha ukurasa wa mtoa huduma. Jibu halimsubiri mtoa huduma. Lina njia ambazo bili inazo; zisome tena baada ya sekunde moja. Ombi halihitaji body.',
  'Repeating the request changes nothing while the bill has instruments for its remaining amount. An instrument reserves nothing: a customer who pays it while a payment request is open pays twice.':
    'Kurudia ombi hakubadilishi kitu wakati bili ina njia za kulipa kiasi kilichobaki. Njia hizi hazizuii kiasi: mteja akizitumia wakati ombi la malipo liko wazi, analipa mara mbili.',
  'List the payment instruments of a bill': 'Orodhesha njia za kulipa bili bila ombi',
  'Returns the numbers, QR codes and links of the bill, also those that have ended, the oldest first. Show only those that are `ACTIVE`, and read the list again before you show them later: they end when the bill changes.':
    'Inarudisha namba, QR na viungo vya bili, hata vilivyoisha, vya zamani kwanza. Onyesha vilivyo `ACTIVE` tu, na soma orodha tena kabla ya kuvionyesha baadaye: vinaisha bili inapobadilika.',
  'A way to pay a bill without a payment request to a phone.': 'Njia ya kulipa bili bila ombi kwenye simu.',
  'The id of the instrument.': 'Kitambulisho cha njia hii.',
  '`PENDING`: the provider has not issued it yet. `ACTIVE`: a customer can pay it. `ENDED`: do not show it any more; `reason` says why.':
    '`PENDING`: mtoa huduma bado hajaitoa. `ACTIVE`: mteja anaweza kuilipia. `ENDED`: usiionyeshe tena; `reason` inaeleza kwa nini.',
  "The provider's word for this kind of instrument, for example `order`.": 'Jina la mtoa huduma la aina hii, kwa mfano `order`.',
  'What it asks for. Shillings, always with a decimal point.': 'Kiasi inachoomba. Shilingi, daima zenye nukta ya desimali.',
  'The number that the customer enters in the menu of the wallet. Null unless `ACTIVE`.':
    'Namba ambayo mteja anaiweka kwenye menyu ya pesa za simu. Null isipokuwa `ACTIVE`.',
  'The text of a TANQR code, which wallets and bank apps scan. Draw it as a QR code. Null unless `ACTIVE`.':
    'Maandishi ya TANQR, ambayo pesa za simu na app za benki zinaiskani. Yachore kama QR. Null isipokuwa `ACTIVE`.',
  "The address of the provider's page, for example for cards. Null unless `ACTIVE`.":
    'Anwani ya ukurasa wa mtoa huduma, kwa mfano wa kadi. Null isipokuwa `ACTIVE`.',
  'The networks whose wallets can pay the number.': 'Mitandao ambayo pesa zake zinaweza kulipia namba.',
  '`exact`: the provider takes only this amount, once. `open`: it takes payments of any amount, any number of times.':
    '`exact`: mtoa huduma anapokea kiasi hiki tu, mara moja. `open`: anapokea kiasi chochote, mara yoyote.',
  'Until when it can be paid; null if the provider does not say so. Unix milliseconds.':
    'Inaweza kulipiwa hadi lini; null kama mtoa huduma hasemi. Milisekunde za Unix.',
  'When Bili ended it; null until then. Unix milliseconds.': 'Bili iliisitisha lini; null hadi hapo. Milisekunde za Unix.',
  'Why it has ended. `paid`, `closed`: so is the bill. `changed`: the bill has another remaining amount. `expired`. `refused`: the provider did not issue it. `lost`: the answer of the provider was lost.':
    'Kwa nini imeisha. `paid`: bili imelipwa. `closed`: bili imefungwa. `changed`: kiasi kilichobaki kimebadilika. `expired`: muda umeisha. `refused`: mtoa huduma hakuitoa. `lost`: jibu la mtoa huduma limepotea.',

  // Refunds
  'Refund a bill': 'Rudisha pesa za bili',
  'List the refunds of a bill': 'Orodhesha marejesho ya bili',
  'Returns the refunds of the bill in their present states, newest first.':
    'Inarudisha marejesho ya pesa za bili na hali zake za sasa, mapya kwanza.',
  'Gives money of a bill back to the customer: through the provider if that is possible, else a person of the shop is asked to return it. The answer does not wait for the money. Read the refund later, or watch `reversedAmount` of the bill.':
    'Inamrudishia mteja pesa za bili: kupitia mtoa huduma kama inawezekana, la sivyo mtu wa duka anaombwa kuzirudisha. Jibu halisubiri pesa. Soma hali baadaye, au fuatilia `reversedAmount` ya bili.',
  'Send an `Idempotency-Key`: it is required, because a repetition must not pay twice. A repetition, at any later time, returns the same refund in its present state. Above the limit that the merchant has set, a second person must approve the refund.':
    'Tuma `Idempotency-Key`: ni lazima, kwa sababu ombi lililorudiwa lisilipe mara mbili. Ukirudia ombi wakati wowote baadaye, unapata urejeshaji uleule na hali yake ya sasa. Kiasi kikizidi kikomo cha biashara, lazima mtu wa pili akubali.',
  'Why the money goes back, for the history of the bill.': 'Kwa nini pesa inarudi, kwa historia ya bili.',
  'How much goes back. Without it, all that the bill has of the payment.':
    'Kiasi kinachorudi. Bila hicho, pesa zote za malipo haya ambazo bili inazo.',
  'The payment that came in, or that the entry changes. A refund names it.':
    'Malipo yaliyoingia, au ambayo rekodi hii inayabadilisha. Ombi la kurudisha pesa linayataja.',
  'The `payment` of an entry of the bill. Needed only if the bill has money of several payments.':
    '`payment` ya rekodi moja ya bili. Inahitajika tu kama bili ina pesa za malipo kadhaa.',
  'Money that goes back to a customer.': 'Pesa inayorudi kwa mteja.',
  'The id of the refund.': 'Kitambulisho cha urejeshaji.',
  'The bill whose money goes back. Null if the operator gave a payment back as a whole.':
    'Bili ambayo pesa zake zinarudi. Null kama mwendeshaji amerudisha malipo yote.',
  'The id of the payment.': 'Kitambulisho cha malipo.',
  'The amount that goes back. Shillings, always with a decimal point.': 'Kiasi kinachorudi. Shilingi, daima zenye nukta ya desimali.',
  '`ASKED`: a second person must approve it. `APPROVED`: a person must return the money by hand. `QUEUED`, `SENDING`: Bili is about to ask the provider. `UNKNOWN`: the provider has it, or may have it; Bili asks until the outcome is known. `DONE`, `FAILED`.':
    '`ASKED`: lazima mtu wa pili akubali. `APPROVED`: lazima mtu arudishe pesa kwa mkono. `QUEUED`, `SENDING`: Bili inakaribia kumwomba mtoa huduma. `UNKNOWN`: mtoa huduma amelipata ombi, au huenda amelipata; Bili inauliza hadi matokeo yajulikane. `DONE`: pesa imerudi. `FAILED`: haikurudi.',
  '`reversal`: the provider takes the payment back. `payout`: money is sent to the number that paid. `hand`: a person returns it.':
    '`reversal`: mtoa huduma anarudisha malipo. `payout`: pesa inatumwa kwa namba iliyolipa. `hand`: mtu anairudisha.',
  'Why, as the request said.': 'Sababu, kama ilivyotumwa.',
  'Why it failed; null unless `FAILED`. `declined` and `cancelled`: a person stopped it.':
    'Kwa nini haikufanikiwa; null isipokuwa `FAILED`. `declined` na `cancelled`: mtu ameisitisha.',
  "The provider's number of the refund; null until it is done.": 'Namba ya mtoa huduma ya urejeshaji; null hadi pesa irudi.',
  'When it was asked for. Unix milliseconds.': 'Iliombwa lini. Milisekunde za Unix.',
  'When it was done; null until then. Unix milliseconds.': 'Pesa ilirudi lini; null hadi hapo. Milisekunde za Unix.',

  // The operation that lists the networks
  'List the mobile networks': 'Orodhesha mitandao ya simu',
  'Tells whose customers can pay now. Show it before you send a payment request. The answer may change within seconds: do not keep it longer than a minute.':
    'Inaonyesha mitandao ambayo wateja wake wanaweza kulipa sasa. Ionyeshe kabla ya kutuma ombi la malipo. Jibu linaweza kubadilika ndani ya sekunde: usilihifadhi kwa zaidi ya dakika moja.',

  // Bills
  'A bill with its present state.': 'Bili na hali yake ya sasa.',
  'A new bill. It always has exactly these seven members.': 'Bili mpya. Daima ina sehemu hizi saba tu.',
  'The number of the request. Without one: null until somebody pays on the payment page, then the number that paid first.':
    'Namba ya ombi. Kama ombi halikuwa na namba: null hadi mtu alipe kwenye ukurasa wa malipo, kisha namba iliyolipa kwanza.',
  'The amount of the bill. Shillings, always with a decimal point.': 'Kiasi cha bili. Shilingi, daima zenye nukta ya desimali.',
  'Follows from the confirmed payments. Only a reversal or a correction moves it back.':
    'Inatokana na malipo yaliyothibitishwa. Inarudi nyuma kwa urejeshaji au sahihisho tu. [Maana zake](payment-flow.md#hali-ya-bili).',
  'The reference of the request, unchanged.': 'Kumbukumbu ya ombi, bila kubadilishwa.',
  "The bill's payment page.": 'Ukurasa wa malipo wa bili.',
  'When the bill was created. Unix milliseconds.': 'Bili ilitengenezwa lini. Milisekunde za Unix.',
  'The sum of the payments, less reversals. Shillings, always with a decimal point.':
    'Jumla iliyolipwa, bila iliyorudishwa. Shilingi, daima zenye nukta ya desimali.',
  'What is left to pay, never negative. Shillings, always with a decimal point.':
    'Kilichobaki kulipwa, kamwe si chini ya 0. Shilingi, daima zenye nukta ya desimali.',
  'When the bill was fully paid for the first time. Does not change after a reversal. Unix milliseconds.':
    'Bili ililipwa yote kwa mara ya kwanza lini. Haibadiliki malipo yakirudishwa. Milisekunde za Unix.',
  'When the bill was closed. Nobody can pay a closed bill. Unix milliseconds.':
    'Bili ilifungwa lini. Hakuna anayeweza kulipa bili iliyofungwa. Milisekunde za Unix.',
  'The sum of the reversals. Shillings, always with a decimal point.': 'Jumla iliyorudishwa. Shilingi, daima zenye nukta ya desimali.',
  'The newest payment request to a phone. It never contains the number.': 'Ombi la malipo la mwisho kwenye simu. Kamwe halina namba.',

  // The result of each bill in a request that creates many bills
  'As the header `Idempotency-Key` of a request that creates one bill.': 'Kama header `Idempotency-Key` ya ombi la kutengeneza bili moja.',
  'The bill was created.': 'Bili imetengenezwa.',
  '`replayed`: an earlier request with the same key created the bill.':
    '`replayed`: bili ilishatengenezwa na ombi la awali lenye ufunguo uleule.',
  'The members of the bill that were ignored, as in `Bili-Ignored`.': 'Sehemu za bili ambazo hazikutumika, kama kwenye `Bili-Ignored`.',
  'The bill was not created.': 'Bili haikutengenezwa.',
  'The bill was not created. The others are not affected.': 'Bili haikutengenezwa. Nyingine haziathiriki.',
  'The code that `Bili-Error` would have if the bill had been sent alone.':
    'Msimbo ambao `Bili-Error` ingekuwa nao kama bili ingetumwa peke yake.',
  'The message of the error.': 'Ujumbe wa kosa.',

  // Payment requests
  'A payment request to a phone.': 'Ombi la malipo kwenye simu.',
  'The id of the payment request.': 'Kitambulisho cha ombi la malipo.',
  '`UNKNOWN`: the outcome is not known yet. Do not ask the customer to pay again.':
    '`UNKNOWN`: matokeo hayajulikani bado. Usimwombe mteja alipe tena. [Hali nyingine](payment-flow.md#ombi-kwenye-simu).',
  'Why it failed. More reasons may be added: treat an unknown one like `rejected`.':
    'Kwa nini limeshindikana. Sababu nyingine zinaweza kuongezwa: usiyoijua, ichukulie kama `rejected`. [Maana zake](payment-flow.md#sababu-za-ombi-kushindikana).',
  'The mobile network that was asked.': 'Mtandao wa simu iliyotumiwa ombi.',
  'The requested amount. Shillings, always with a decimal point.': 'Kiasi kilichoombwa. Shilingi, daima zenye nukta ya desimali.',
  'Who requested the payment.': 'Aliyeomba malipo.',
  'Null if the customer entered the number on the payment page.': 'Null kama mteja aliweka namba kwenye ukurasa wa malipo.',
  'When the payment was requested. Unix milliseconds.': 'Malipo yaliombwa lini. Milisekunde za Unix.',
  'When the state last changed. Unix milliseconds.': 'Hali ilibadilika lini mara ya mwisho. Milisekunde za Unix.',

  // Payments
  'An entry of the ledger that changes the paid amount of a bill.': 'Ingizo la leja linalobadilisha kiasi kilicholipwa cha bili.',
  'The id of the entry.': 'Kitambulisho cha ingizo.',
  '`reversal`, `refund`: the money went back. `correction`: a person corrected the ledger.':
    '`reversal`, `refund`: pesa imerudi kwa mteja. `correction`: mtu amesahihisha leja.',
  '`cash`, `bank`, `other`: a person received or returned the money.': '`cash`, `bank`, `other`: mtu amepokea au amerudisha pesa.',
  "The provider's number, as the customer's SMS shows it, or the number of a slip.":
    'Namba ya risiti ya mtoa huduma, kama ilivyo kwenye SMS ya mteja, au namba ya stakabadhi.',
  'Negative if it takes money off the bill. Shillings, always with a decimal point.':
    'Chini ya 0 kama inapunguza kilicholipwa. Shilingi, daima zenye nukta ya desimali.',
  'When it was booked on the bill. Unix milliseconds.': 'Iliingizwa kwenye bili lini. Milisekunde za Unix.',

  // Networks
  'Whether the customers of a mobile network can pay bills now.': 'Kama wateja wa mtandao wa simu wanaweza kulipa bili sasa.',
  'The mobile network.': 'Mtandao wa simu.',
  'The name of its mobile money that customers know.': 'Jina la pesa zake za simu ambalo wateja wanalijua.',
  '`problems`: prompts are tried, and may be late or fail. `not_served`: no provider account serves the network.':
    '`problems`: maombi yanatumwa, lakini yanaweza kuchelewa au kushindikana. `not_served`: hakuna akaunti ya mtoa huduma kwa mtandao huu.',

  // The operation that reads the event feed
  'Read the event feed': 'Soma mtiririko wa matukio',
  'Returns the events of all bills, for a server that cannot receive webhooks. Begin without `after`. Process the events, then store the `cursor` of the answer, and send it as `after` with the next request. If `more` is true, send the next request at once.':
    'Inarudisha matukio ya bili zote, kwa seva isiyoweza kupokea webhook. Anza bila `after`. Fanyia kazi matukio, kisha hifadhi `cursor` ya jibu, na itume kama `after` kwenye ombi linalofuata. Kama `more` ni true, tuma ombi linalofuata papo hapo.',
  'Each event appears once, and the events of one bill are in order.':
    'Kila tukio linaonekana mara moja, na matukio ya bili moja yako kwa mpangilio.',
  'The cursor of an earlier answer. The answer starts with the event behind it.':
    '`cursor` ya jibu lililotangulia. Jibu linaanza na tukio linalofuata.',
  'How many events the answer has at most.': 'Idadi ya juu ya matukio kwenye jibu.',
  'Store it, and send it as `after` with the next request.': 'Ihifadhi, na itume kama `after` kwenye ombi linalofuata.',
  'Whether there are more events behind these.': 'Kama kuna matukio zaidi baada ya haya.',
  'A change of the status of a bill.': 'Badiliko la hali ya bili.',
  'The `webhook-id` of the event. It stays the same when the webhook is sent again.':
    '`webhook-id` ya tukio. Haibadiliki webhook inapotumwa tena.',
  'When the status changed. Unix milliseconds.': 'Hali ilibadilika lini. Milisekunde za Unix.',
  'The body of a webhook. It always has exactly one member.': 'Body ya webhook. Daima ina sehemu moja tu.',

  // The webhook about a changed bill
  'The status of a bill changed': 'Hali ya bili imebadilika',
  'Bili sends this request to the address of your webhook endpoint whenever the status of a bill changes.':
    'Bili inatuma ombi hili kwenye anwani yako ya webhook kila hali ya bili inapobadilika.',
  '1. Verify `webhook-signature` over the raw body, as Standard Webhooks describes: an HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>` with your signing secret. Refuse a request whose timestamp is more than 5 minutes from now.':
    '1. Hakiki `webhook-signature` kwa body ghafi, kama Standard Webhooks inavyoeleza: HMAC-SHA256 ya `<webhook-id>.<webhook-timestamp>.<body>` kwa siri yako ya kusaini. Kataa ombi ambalo wakati wake unatofautiana na sasa kwa zaidi ya dakika 5.',
  '2. Answer 2xx within 15 seconds, and do slow work afterwards.': '2. Jibu 2xx ndani ya sekunde 15. Kazi ndefu ifanye baada ya kujibu.',
  '3. Get the bill through the API, and act on its status. The same webhook can come more than once.':
    '3. Soma bili kwa API, na ufuate hali yake. Webhook ileile inaweza kuja zaidi ya mara moja.',
  'The webhooks of one bill come in order. A webhook that is not acknowledged is sent again with growing pauses, for about seven days.':
    'Webhook za bili moja zinakuja kwa mpangilio. Webhook ambayo haijapokelewa inatumwa tena kwa kusubiri kunakoongezeka, hadi takriban siku saba.',
  'The id of the webhook. It stays the same when the webhook is sent again.':
    'Kitambulisho cha webhook. Hakibadiliki Bili inapoituma tena.',
  'When this request was sent, Unix seconds.': 'Wakati ombi hili lilipotumwa, sekunde za Unix.',
  'One or more signatures, separated by spaces. One of them must match.':
    'Saini moja au zaidi, zikitenganishwa kwa nafasi. Mojawapo lazima ilingane.',
  'The sender.': 'Mtumaji.',
  'The bill after the change.': 'Bili baada ya badiliko.',
  'The bill after the change. It always has exactly these five members.': 'Bili baada ya badiliko. Daima ina sehemu hizi tano tu.',
  'You have received the webhook. Bili ignores the body of your answer.': 'Umepokea webhook. Bili haisomi body ya jibu lako.',
  'You want no more webhooks. Bili disables the endpoint until somebody resumes it.':
    'Hutaki webhook tena. Bili inaacha kutuma hadi mtu abonyeze "Endelea kutuma" kwenye dashibodi.',
  'A failure: Bili sends the webhook again. After 429 with `Retry-After`, it waits at least that long, up to a day.':
    'Imeshindikana: Bili inatuma webhook tena. Baada ya 429 yenye `Retry-After`, inasubiri angalau muda huo, hadi siku moja.',
  'A failure: Bili sends the webhook again. After 503 with `Retry-After`, it waits at least that long, up to a day.':
    'Imeshindikana: Bili inatuma webhook tena. Baada ya 503 yenye `Retry-After`, inasubiri angalau muda huo, hadi siku moja.',

  // The operation that controls the time of the sandbox
  'Control the time of the sandbox': 'Sogeza muda wa majaribio',
  'Only in the sandbox. `advanceSeconds` brings everything forward that is still to come: the expiry and the due date of open bills, what simulated phones do next, and the next attempts of webhooks. The clock itself does not move, so the times of what has happened stay as they are. A due date moves by whole days. A request moves at most 10,000 bills, payment requests and webhooks: while `more` is true, send `cursor` as `after` with the next request, and the same `advanceSeconds`.':
    'Kwenye majaribio tu. `advanceSeconds` inawahisha kila kitu ambacho bado hakijatokea: mwisho wa muda na tarehe ya mwisho ya kulipa ya bili zilizo wazi, hatua zinazofuata za simu za kuigiza, na majaribio yanayofuata ya kutuma webhook. Saa yenyewe haibadiliki, kwa hiyo nyakati za yaliyokwisha kutokea zinabaki zilivyo. Tarehe ya mwisho ya kulipa inasogea kwa siku kamili. Ombi moja linasogeza bili, maombi ya malipo na webhook zisizozidi 10,000 kwa jumla: maadamu `more` ni true, tuma `cursor` kama `after` kwenye ombi linalofuata, na `advanceSeconds` ileile.',
  '`delayPercent` makes simulated phones faster, and the pauses before a webhook is repeated shorter, until it is set to 100 again.':
    '`delayPercent` inaongeza kasi ya simu za kuigiza, na inapunguza muda wa kusubiri kabla ya kurudia webhook, hadi iwekwe tena kuwa 100.',
  'How much sooner everything happens that is still to come, seconds.': 'Kila kitu ambacho bado hakijatokea kiwahi kwa muda gani, sekunde.',
  'How long simulated phones, and the pauses before a webhook is repeated, take from now on, in percent of the usual time.':
    'Muda wa simu za kuigiza, na wa kusubiri kabla ya kurudia webhook, kuanzia sasa, kwa asilimia ya muda wa kawaida.',
  'The `cursor` of an earlier answer, to move what that request left. Keep `advanceSeconds` the same.':
    '`cursor` ya jibu lililotangulia, kusogeza kilichobaki. Usibadilishe `advanceSeconds`.',
  'Whether there may be more to move.': 'Kama huenda kuna zaidi ya kusogeza.',
  'Continue with this value of `after`. Null if everything has moved.': 'Endelea kwa thamani hii ya `after`. Null kama yote yamesogezwa.',
  'The delays that apply now.': 'Asilimia inayotumika sasa.',
  'How many open bills with an expiry or a due date it affected.':
    'Idadi ya bili zilizo wazi zenye mwisho wa muda au tarehe ya mwisho ya kulipa ambazo zimesogezwa.',
  'How many payment requests whose phone has not finished it affected.':
    'Idadi ya maombi ya malipo ambayo simu yake haijamaliza na ambayo yamesogezwa.',
  'How many webhooks that wait for another attempt it affected.': 'Idadi ya webhook zinazosubiri jaribio lingine na ambazo zimesogezwa.',

  // The interface for applications of cashiers
  Internal: 'Za ndani',
  'For applications in which cashiers work at the counter of a shop. New integrations of servers use the other groups.':
    'Kwa programu ambazo makeshia wanazitumia kama kaunta ya duka. Muunganisho mpya wa seva utumie makundi mengine.',
  'Join as a cashier': 'Jiunge kama keshia',
  'Sign in': 'Ingia',
  'Sign out': 'Toka',
  'List the bills of the shift': 'Orodhesha bili za zamu',
  'Create a bill at the counter': 'Tengeneza bili kwenye kaunta',
  'Get a bill of the counter': 'Soma bili ya kaunta',
  'Ask again': 'Omba tena',
  'Record cash': 'Rekodi pesa taslimu',
  'Get the open shift': 'Soma zamu iliyo wazi',
  'Close the shift': 'Funga zamu',
  'Accepts the invitation of a cashier, once, and starts the first session. The token is the last part of the link that the shop sent. The cashier chooses the pin.':
    'Inakubali mwaliko wa keshia, mara moja, na kuanzisha kikao cha kwanza. Tokeni ni sehemu ya mwisho ya kiungo kilichotumwa na duka. Keshia anachagua PIN.',
  'The token of the invitation.': 'Tokeni ya mwaliko.',
  'Six digits that are not easy to guess.': 'Tarakimu sita zisizo rahisi kukisiwa.',
  'The secret of the session, for the header `x-secret`.': 'Siri ya kikao, kwa header `x-secret`.',
  'The secret of the device, for the next sign-in. Store the newest one where only your application can read it.':
    'Siri ya kifaa, ya kuingia tena. Hifadhi iliyo mpya zaidi mahali ambapo programu yako tu inaweza kuisoma.',
  'Starts a session with the secret of the device and the pin. It lasts 14 hours at most. After 5 wrong pins the device is locked; the shop makes a new invitation then.':
    'Inaanzisha kikao kwa siri ya kifaa na PIN. Kinadumu saa 14 zaidi. PIN ikikosewa mara 5 kifaa kinafungwa; hapo duka linatengeneza mwaliko mpya.',
  "The cashier's login name or phone number.": 'Jina la kuingia la keshia, au namba yake ya simu.',
  'The newest secret of the device.': 'Siri mpya zaidi ya kifaa.',
  'The pin of the cashier.': 'PIN ya keshia.',
  'Ends the session. The device stays known.': 'Inamaliza kikao. Kifaa kinaendelea kujulikana.',
  'Returns the newest 500 bills of the open shift, oldest first, in their present state. Empty if no shift is open.':
    'Inarudisha bili 500 za karibuni za zamu iliyo wazi, ya zamani ikitangulia, zilivyo sasa. Tupu kama hakuna zamu iliyo wazi.',
  'Creates a bill, and opens a shift if none is open. With `mobile`, the phone gets a payment request. A bill that waited on the device until its `confirmedAt` is older than 2 minutes is refused with `entry_stale`: ask the cashier whether the customer is still there.':
    'Inatengeneza bili, na kufungua zamu kama hakuna iliyo wazi. Ukituma `mobile`, simu inapata ombi la malipo. Bili iliyokaa kwenye kifaa hadi `confirmedAt` yake ikapita dakika 2 inakataliwa kwa `entry_stale`: muulize keshia kama mteja bado yupo.',
  'A UUID that your application makes and stores before it sends the request. A repetition with it changes nothing. It answers with the bill in its present state.':
    'UUID ambayo programu yako inaitengeneza na kuihifadhi kabla ya kutuma ombi. Ukirudia nayo hakuna kinachobadilika. Jibu ni bili ilivyo sasa.',
  'Your own text. Without it, the bill gets the next number of the shift.':
    'Maandishi yako mwenyewe. Bila hayo, bili inapata namba inayofuata ya zamu.',
  'The number that gets a payment request. Without it, the customer opens `webPayUrl`.':
    'Namba itakayopata ombi la malipo. Bila hiyo, mteja anafungua `webPayUrl`.',
  'Returns a bill that this cashier created, in its present state. Ask every 2 seconds while a customer is waiting.':
    'Inarudisha bili iliyotengenezwa na keshia huyu, ilivyo sasa. Soma kila sekunde 2 mteja anaposubiri.',
  'Sends a payment request for what is left of a bill that this cashier created.':
    'Inatuma ombi la malipo kwa kiasi kilichobaki cha bili iliyotengenezwa na keshia huyu.',
  'A UUID that your application makes and stores before it sends the request. A repetition with it changes nothing.':
    'UUID ambayo programu yako inaitengeneza na kuihifadhi kabla ya kutuma ombi. Ukirudia nayo hakuna kinachobadilika.',
  'The number to ask. Without it, the number of the bill.': 'Namba ya kuombwa. Bila hiyo, ni namba ya bili.',
  'Records that the cashier received money for a bill of the open shift, if the merchant allows it: see `takesCash` of the shift.':
    'Inarekodi kwamba keshia amepokea pesa ya bili ya zamu iliyo wazi, kama duka linaruhusu: angalia `takesCash` ya zamu.',
  'What the cashier received: at most `cashDue`.': 'Alichopokea keshia: kisizidi `cashDue`.',
  'Returns the open shift of this cashier with its sums.': 'Inarudisha zamu iliyo wazi ya keshia huyu pamoja na jumla zake.',
  'Null before the first bill: it opens the shift.': 'Null kabla ya bili ya kwanza: hiyo ndiyo inayofungua zamu.',
  'The id of the shift.': 'Kitambulisho cha zamu.',
  'The code with which the references of its bills begin.': 'Msimbo ambao marejeo ya bili zake yanaanza nao.',
  'When its first bill was created. Unix milliseconds.': 'Bili yake ya kwanza ilipotengenezwa. Milisekunde za Unix.',
  'The number of its bills.': 'Idadi ya bili zake.',
  'How many of them are fully paid.': 'Ngapi kati yake zimelipwa zote.',
  'The sum of its bills. Shillings, always with a decimal point.': 'Jumla ya bili zake. Shilingi, daima zenye nukta ya desimali.',
  'What has arrived for them, with cash. Shillings, always with a decimal point.':
    'Kilichopokelewa kwa bili hizo, pamoja na pesa taslimu. Shilingi, daima zenye nukta ya desimali.',
  'The cash that the cashier took. Closing the shift needs a count of it. Shillings, always with a decimal point.':
    'Pesa taslimu aliyopokea keshia. Ili zamu ifungwe, lazima ihesabiwe. Shilingi, daima zenye nukta ya desimali.',
  'Whether the merchant lets this cashier record cash.': 'Kama duka linamruhusu keshia huyu kurekodi pesa taslimu.',
  'Closes a shift of this cashier. The next bill opens a new one. A repetition changes nothing, and returns the closed shift.':
    'Inafunga zamu ya keshia huyu. Bili inayofuata inafungua mpya. Ukirudia hakuna kinachobadilika, na jibu ni zamu iliyofungwa.',
  'A closed shift.': 'Zamu iliyofungwa.',
  'When it was closed. Unix milliseconds.': 'Ilipofungwa. Milisekunde za Unix.',
  'The cash by the ledger; null if it took none. Shillings, always with a decimal point.':
    'Pesa taslimu kwa mujibu wa leja; null kama haikupokelewa. Shilingi, daima zenye nukta ya desimali.',
  'The cash that the cashier counted; null if it took none. Shillings, always with a decimal point.':
    'Pesa taslimu aliyohesabu keshia; null kama haikupokelewa. Shilingi, daima zenye nukta ya desimali.',
  'A bill that a cashier created.': 'Bili iliyotengenezwa na keshia.',
  'The `id` with which your application created the bill.': '`id` ambayo programu yako ilitengenezea bili.',
  'What was paid in cash. Shillings, always with a decimal point.':
    'Kilicholipwa kwa pesa taslimu. Shilingi, daima zenye nukta ya desimali.',
  'What a customer who pays in cash must pay: what is left, in whole shillings. Shillings, always with a decimal point.':
    'Anachopaswa kulipa mteja anayelipa taslimu: kilichobaki, kwa shilingi kamili. Shilingi, daima zenye nukta ya desimali.',
  'When the bill was fully paid for the first time. Unix milliseconds.': 'Bili ilipolipwa yote kwa mara ya kwanza. Milisekunde za Unix.',
  'What the cashier must know. `open`: no payment request was sent. `waiting`: the customer can approve one. `unknown`: the outcome is not known yet, do not ask again. `declined`: see `reason`. `part`, `paid`, `overpaid`, `closed`.':
    'Keshia anachopaswa kujua. `open`: hakuna ombi la malipo lililotumwa. `waiting`: mteja anaweza kulikubali. `unknown`: matokeo bado hayajulikani, usiombe tena. `declined`: angalia `reason`. `part`, `paid`, `overpaid`, `closed`.',
  'Why the last payment request was declined: a reason of attempts, `expired`, `cancelled` or `merchant_inactive`. Null unless `declined`.':
    'Kwa nini ombi la mwisho la malipo halikukubaliwa: sababu ya maombi, `expired`, `cancelled` au `merchant_inactive`. Null isipokuwa kwa `declined`.',
  'When the cashier entered the bill, or confirmed that the customer is still there, in Unix milliseconds by the clock of the server: the header `Date` of an answer has it. Needed with `mobile`: a payment request is sent within 2 minutes.':
    'Wakati keshia alipoandika bili, au alipothibitisha kwamba mteja bado yupo, kwa milisekunde za Unix za saa ya seva: iko kwenye header `Date` ya jibu. Inahitajika ukituma `mobile`: ombi la malipo linatumwa ndani ya dakika 2.',
  'The cash that the cashier counted, in whole shillings. Needed if the shift took cash.':
    'Pesa taslimu aliyohesabu keshia, kwa shilingi kamili. Inahitajika kama zamu ilipokea pesa taslimu.',
};
