import { API_ROUTES } from '@/app/api-routes';
import { readSettings } from '@/lib/config/settings';
import { readVersion } from '@/lib/config/version';
import { openApiDocument } from '@/lib/openapi/document';
import { renderReference } from '@/lib/openapi/reference';

const PLACE = '<!-- reference -->';

/** Puts the reference of the API into the page. The base addresses are the defaults, which the web process replaces. */
export function withReference(markdown: string): string {
  const settings = readSettings({});
  if (!settings.ok) throw new Error(settings.error.join('\n'));
  const routes = API_ROUTES.map(({ route }) => route);
  const document = openApiDocument({ routes, settings: settings.value, version: readVersion() });
  const sections = renderReference(document, { errorAddress: (code) => `errors.md#${code}` }).replace(/^# .*\n+/, '');
  if (!markdown.includes(PLACE)) throw new Error(`the page of the reference needs a line ${PLACE}`);
  return markdown.replace(PLACE, () => sections.trimEnd());
}
