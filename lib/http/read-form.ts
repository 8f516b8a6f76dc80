/** Parses a form body. Returns null if the body is not a form. The caller limits its size. */
export async function readForm(body: Uint8Array<ArrayBuffer>, type: string | null): Promise<FormData | null> {
  try {
    return await new Response(body, { headers: { 'content-type': type ?? '' } }).formData();
  } catch {
    return null;
  }
}
