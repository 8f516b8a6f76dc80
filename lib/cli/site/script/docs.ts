import { fillTabs, rememberTab } from './code-tabs';
import { copyCode } from './copy-code';
import { fillKey } from './fill-key';
import { enableSearch } from './search';

// Everything here is an extra: the pages can be read without JavaScript.
fillTabs();
enableSearch();
void fillKey();
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('button.copy') : null;
  if (button) void copyCode(button);
  // Errors and operations have the same anchors in both languages, so the link to the other language can lead to the same section.
  const language = target instanceof Element ? target.closest<HTMLAnchorElement>('a.lang') : null;
  if (language) language.hash = location.hash;
});
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.closest('.tabs')) rememberTab(target);
});
