(() => {
  const { createElement, useEffect, useState } = window.wp.element;
  const { decodeEntities } = window.wp.htmlEntities;
  const settings = window.wc.wcSettings.getSetting('bili_data', {});
  const title = decodeEntities(settings.title || 'Mobile money');

  /** Asks for the number, and passes it on to the gateway as `bili_mobile`. */
  const Content = ({ eventRegistration, emitResponse }) => {
    const [mobile, setMobile] = useState('');
    useEffect(
      () =>
        eventRegistration.onPaymentSetup(() => ({
          type: emitResponse.responseTypes.SUCCESS,
          meta: { paymentMethodData: { bili_mobile: mobile } },
        })),
      [mobile, eventRegistration, emitResponse],
    );
    const description = createElement('p', null, decodeEntities(settings.description || ''));
    if (!settings.asksForNumber) return description;
    const input = createElement('input', {
      id: 'bili-mobile',
      type: 'tel',
      autoComplete: 'tel-national',
      placeholder: '0712 345 678',
      value: mobile,
      onChange: (event) => setMobile(event.target.value),
    });
    const label = createElement('label', { htmlFor: 'bili-mobile' }, decodeEntities(settings.numberLabel));
    return createElement('div', null, description, label, input);
  };
  const Description = () => createElement('p', null, decodeEntities(settings.description || ''));

  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'bili',
    label: title,
    ariaLabel: title,
    content: createElement(Content),
    edit: createElement(Description),
    canMakePayment: () => true,
    supports: { features: settings.supports || ['products'] },
  });
})();
