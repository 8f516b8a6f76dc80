import { API_ROUTES } from '@/app/api-routes';
import { readSettings } from '@/lib/config/settings';
import { openApiDocument } from '@/lib/openapi/document';
import type { OpenApiDocument } from '@/lib/openapi/types';

/** Returns the API description of the product. @param env settings that differ from the defaults */
export function describedApi(env: Readonly<Record<string, string>> = {}): OpenApiDocument {
  const settings = readSettings(env);
  if (!settings.ok) throw new Error(settings.error.join('\n'));
  return openApiDocument({ routes: API_ROUTES.map(({ route }) => route), settings: settings.value, version: '1.2.3' });
}
