import { API_ROUTES } from '@/app/api-routes';
import { readSettings } from '@/lib/config/settings';
import { openApiDocument } from '@/lib/openapi/document';
import type { OpenApiDocument, Operation } from '@/lib/openapi/types';

/** Returns the API description of the product. @param env settings that differ from the defaults */
export function describedApi(env: Readonly<Record<string, string>> = {}): OpenApiDocument {
  const settings = readSettings(env);
  if (!settings.ok) throw new Error(settings.error.join('\n'));
  return openApiDocument({ routes: API_ROUTES.map(({ route }) => route), settings: settings.value, version: '1.2.3' });
}

export interface DescribedOperation {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly operation: Operation;
}

/** Returns the operations of a description. The webhooks in the description are not included. */
export function operationsOf({ paths }: OpenApiDocument): readonly DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get ? [{ path, method: 'GET' as const, operation: get }] : []),
    ...(post ? [{ path, method: 'POST' as const, operation: post }] : []),
  ]);
}
