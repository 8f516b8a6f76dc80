/** Swahili lines of the API description about the event feed, the webhook, and the requests that make the sandbox faster. */
export const EVENTS = {
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
};
