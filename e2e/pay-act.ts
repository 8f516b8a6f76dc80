import type { Page } from '@playwright/test';
import { either, swahili, text } from './texts';

/** Unfolds the form after a failed request. Until then, the page only offers to repeat the request. */
export async function chooseOther(page: Page): Promise<void> {
  await page.getByText(either(text('Pay.useOther'), swahili('Pay.useOther'))).click();
}

/** Unfolds the choice of the network, unless it is unfolded already: the page keeps it so when a form with a mistake was sent. */
export async function showNetworks(page: Page): Promise<void> {
  const choice = page.locator('#net');
  if ((await choice.getAttribute('open')) !== null) return;
  const number = page.locator('#mobile');
  const typed = await number.inputValue();
  // With JavaScript, the choice is hidden until the first digits of a number are typed.
  const hidden = await choice.isHidden();
  if (hidden) await number.fill('0754');
  await choice.locator('summary').click();
  if (hidden) await number.fill(typed);
}

/** The heading of the payment page on a device whose request was accepted a moment ago. */
export const REQUESTED = either(...[text, swahili].flatMap((language) => [language('Pay.sendingTitle'), language('Pay.promptedTitle')]));
