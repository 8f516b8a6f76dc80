/**
 * Returns the address of a page of the documentation.
 * @param docsUrl the setting DOCS_URL.
 * @param page a file of the folder `docs`, and its section
 */
export function docsAddress(docsUrl: string, page: string): string {
  return new URL(`${docsUrl.replace(/\/+$/, '')}/${page}`).href;
}
