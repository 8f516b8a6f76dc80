/** Hidden inputs. A list becomes several inputs with the same name. */
export function HiddenFields({ values }: { readonly values: Readonly<Record<string, string | readonly string[]>> }) {
  return Object.entries(values).map(([name, value]) =>
    [value].flat().map((one) => <input key={`${name} ${one}`} type="hidden" name={name} value={one} />),
  );
}
