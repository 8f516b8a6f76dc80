/** Swahili lines of the API description about the JSON objects in answers, and their members. */
export const OBJECTS = {
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
  '`correction`: a person corrected the ledger.': '`correction`: mtu amesahihisha leja.',
  "The provider's number, as the customer's SMS shows it.": 'Namba ya risiti ya mtoa huduma, kama ilivyo kwenye SMS ya mteja.',
  'Negative if it takes money off the bill. Shillings, always with a decimal point.':
    'Chini ya 0 kama inapunguza kilicholipwa. Shilingi, daima zenye nukta ya desimali.',
  'When it was booked on the bill. Unix milliseconds.': 'Iliingizwa kwenye bili lini. Milisekunde za Unix.',

  // Networks
  'Whether the customers of a mobile network can pay bills now.': 'Kama wateja wa mtandao wa simu wanaweza kulipa bili sasa.',
  'The mobile network.': 'Mtandao wa simu.',
  'The name of its mobile money that customers know.': 'Jina la pesa zake za simu ambalo wateja wanalijua.',
  '`problems`: prompts are tried, and may be late or fail. `not_served`: no provider account serves the network.':
    '`problems`: maombi yanatumwa, lakini yanaweza kuchelewa au kushindikana. `not_served`: hakuna akaunti ya mtoa huduma kwa mtandao huu.',
};
