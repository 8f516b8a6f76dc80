import { find } from './elements';

/** Shows the network of the typed number, and puts the typed amount on the button. */
export function showTyped(): void {
  const field = find<HTMLInputElement>('#mobile');
  const guess = find('#guess');
  const how = find('#how');
  if (!field || !guess || !how || !field.form) return;
  const asked = find<HTMLInputElement>('[name=network]:checked')?.value;
  const [, prefix = '-'] = /^(?:00)?(?:255)?0?([67]\d)/.exec(field.value.replace(/\D/g, '')) || [];
  const [, network = ''] = new RegExp(`(\\w+):[^;]*${prefix}`).exec(field.form.dataset.prefixes || '') || [];
  const name = find(`#net-${asked || network || 'none'} + *`);
  guess.innerHTML = name ? name.innerHTML : guess.dataset.none || '';
  how.hidden = !!name;
  const amount = find<HTMLInputElement>('#amount');
  const button = find('#pay');
  if (amount && button && /^\d[\d,]*$/.test(amount.value)) button.textContent = (button.dataset.pay || '').replace('#', amount.value);
}

/** Groups the digits in a field while the customer types: `0712 345 678` and `12,500`. Does not change numbers in other formats. */
export function groupTyped({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.selectionEnd !== target.value.length) return;
  const digits = target.value.replace(/[ ,]/g, '');
  if (/\D/.test(digits)) return;
  if (target.id === 'amount') target.value = digits.replace(/\B(?=(\d{3})+$)/g, ',');
  if (target.id === 'mobile' && /^0\d{3,9}$/.test(digits)) target.value = digits.replace(/^(.{4})(.{1,3})/, '$1 $2 ').trim();
}
