/**
 * The optional script of receipts and QR pages, which the build minifies into an inline script. It shows the buttons that only work with
 * JavaScript: to print, and to open the phone's own list of apps. It listens for clicks on the document, because the page may replace its
 * content with new buttons.
 */
const { classList } = document.documentElement;
classList.add('js');
// The button that opens the list of apps is shown only on phones: on computers, this list is mostly empty.
if ('share' in navigator && matchMedia('(pointer:coarse)').matches) classList.add('can-share');

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (button?.id === 'print') window.print();
  if (button?.id !== 'share') return;
  navigator.share({ text: button.dataset.text ?? '' }).catch((error: unknown) => {
    // An AbortError means that the person closed the list of apps. After another error, the button that opens the list is removed. The
    // links for SMS and WhatsApp still work.
    if (!(error instanceof DOMException && error.name === 'AbortError')) button.remove();
  });
});
