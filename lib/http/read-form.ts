/** @returns the form that a body holds, or null when it holds none. Bound the body first. */
export async function readForm(body: Uint8Array<ArrayBuffer>, type: string | null): Promise<FormData | null> {
  try {
    return await new Response(body, { headers: { 'content-type': type ?? '' } }).formData();
  } catch {
    return null;
  }
}
