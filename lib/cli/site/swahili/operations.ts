/** Swahili lines of the API description about the operations on bills, histories and networks, with their parameters. */
export const OPERATIONS = {
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

  // The operation that lists the networks
  'List the mobile networks': 'Orodhesha mitandao ya simu',
  'Tells whose customers can pay now. Show it before you send a payment request. The answer may change within seconds: do not keep it longer than a minute.':
    'Inaonyesha mitandao ambayo wateja wake wanaweza kulipa sasa. Ionyeshe kabla ya kutuma ombi la malipo. Jibu linaweza kubadilika ndani ya sekunde: usilihifadhi kwa zaidi ya dakika moja.',
};
