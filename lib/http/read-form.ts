const URLENCODED = /^application\/x-www-form-urlencoded\b/i;

/** Parses a form body. Returns null if the body is not a form. The caller limits its size. */
export async function readForm(body: Uint8Array<ArrayBuffer>, type: string | null): Promise<FormData | null> {
  try {
    return await new Response(body, { headers: { 'content-type': type ?? '' } }).formData();
  } catch {
    return null;
  }
}

/** Returns the text fields of a form that may be sent in either encoding. Returns null for another content type or a broken body. */
export async function readFields(body: Uint8Array<ArrayBuffer>, type: string | null): Promise<URLSearchParams | null> {
  if (type === null || URLENCODED.test(type)) return new URLSearchParams(new TextDecoder().decode(body));
  const form = await readForm(body, type);
  return form && new URLSearchParams([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
