/** The key of the typed values in the browser's session storage. The browser deletes this storage when the tab is closed. */
const STORED = 'bili:kept-forms';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface KeptField {
  /** Identifies a field: the position of its form on the page, its name, and its position among the form's fields with the same name. */
  readonly key: string;
  readonly value: string;
  readonly checked: boolean;
}

/** Stores what was typed into the forms of this page, except passwords, codes and files. */
export function keepForms(): void {
  const fields = controls().map(({ key, control }): KeptField => {
    return { key, value: control.value, checked: control instanceof HTMLInputElement && control.checked };
  });
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ page: window.location.pathname, fields }));
  } catch {
    // The browser forbids storage. The typed values are lost when the page is loaded again.
  }
}

/** Writes the stored values into the forms, except where somebody has typed since the page is shown, and deletes them from the storage. */
export function restoreForms(): void {
  const kept = takeKept();
  if (kept.size === 0) return;
  for (const { key, control } of controls()) {
    const field = kept.get(key);
    if (field && isUntouched(control)) restore(control, field);
  }
}

function takeKept(): ReadonlyMap<string, KeptField> {
  try {
    const stored = sessionStorage.getItem(STORED);
    if (stored === null) return new Map();
    sessionStorage.removeItem(STORED);
    const { page, fields }: { page: string; fields: KeptField[] } = JSON.parse(stored);
    return page === window.location.pathname ? new Map(fields.map((field) => [field.key, field])) : new Map();
  } catch {
    return new Map();
  }
}

const SECRET = ['hidden', 'password', 'file', 'submit', 'button'];

function controls(): { readonly key: string; readonly control: Control }[] {
  return [...document.querySelectorAll('form[data-keeps-values]')].flatMap((form, index) => {
    const seen = new Map<string, number>();
    return [...form.querySelectorAll<Control>('input, textarea, select')].flatMap((control) => {
      if (control.name === '' || SECRET.includes(control.type) || control.autocomplete === 'one-time-code') return [];
      const number = seen.get(control.name) ?? 0;
      seen.set(control.name, number + 1);
      return [{ key: `${index} ${control.name} ${number}`, control }];
    });
  });
}

/** Returns whether a field still has the value that came with the page. Scripts may arrive after the first key. */
function isUntouched(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const chosen = [...control.options].findIndex((option) => option.defaultSelected);
    return control.selectedIndex === Math.max(chosen, 0);
  }
  return control.value === control.defaultValue && (control instanceof HTMLTextAreaElement || control.checked === control.defaultChecked);
}

/** Sets the value of a field and sends the same event as typing, so that React notices the change. */
function restore(control: Control, { value, checked }: KeptField): void {
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
    if (control.checked !== checked && (checked || control.type === 'checkbox')) control.click();
    return;
  }
  if (control.value === value) return;
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set;
  setter?.call(control, value);
  control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
