import { isAccessible } from './page-checks';
import { expect, test } from './product';

const page = (body: string) => `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${body}</main></html>`;

test('the check of accessibility finds a field without a name and weak contrast, and accepts a good page', async ({ page: tab }) => {
  await tab.setContent(page('<label>Amount <input></label>'));
  await isAccessible(tab);
  await tab.setContent(page('<input>'));
  await expect(isAccessible(tab)).rejects.toThrow('label: ');
  await isAccessible(tab, 'visual');
  await tab.setContent(page('<p style="color:#aaa">Amount</p>'));
  await expect(isAccessible(tab, 'visual')).rejects.toThrow('color-contrast: ');
});
