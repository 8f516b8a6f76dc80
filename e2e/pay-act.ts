import type { Page } from '@playwright/test';

/** Unfolds the form after a failed request. Until then, the page only offers to repeat the request. */
export async function chooseOther(page: Page): Promise<void> {
  await page.getByText(/^(Use another number|Tumia namba nyingine)$/).click();
}

/** Unfolds the choice of the network, unless it is unfolded already: the page keeps it so when a form with a mistake was sent. */
export async function showNetworks(page: Page): Promise<void> {
  if ((await page.locator('#net').getAttribute('open')) === null) await page.getByText(/^(Change|Badilisha)$/).click();
}

/** The heading of the payment page on a device whose request was accepted a moment ago. */
export const REQUESTED = /^(Sending the request…|Check your phone|Tunatuma ombi…|Angalia simu yako)$/;
