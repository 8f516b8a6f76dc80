import { find } from './elements';

/** Shows the network that the number's prefix belongs to, from the table that the form carries. */
export function guessNetwork(): void {
  const field = find<HTMLInputElement>('#mobile');
  const hint = find('#guess');
  if (!field || !hint || !field.form) return;
  const [, prefix = '-'] = /^(?:00)?(?:255)?0?([67]\d)/.exec(field.value.replace(/\D/g, '')) || [];
  const [, network = '-'] = new RegExp(`(\\w+):[^;]*${prefix}`).exec(field.form.dataset.prefixes || '') || [];
  const name = find(`#net-${network} + *`);
  hint.innerHTML = name ? `· ${name.innerHTML}` : '';
}
