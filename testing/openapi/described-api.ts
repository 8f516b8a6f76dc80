import { COUNTER_ROUTES } from '@/app/api/v2/counter-routes';
import { API_ROUTES } from '@/app/api/v3/api-routes';
import type { DescribedRoute } from '@/lib/entry/http/api';
import { openApiDocument } from '@/lib/entry/openapi/document';
import type { OpenApiDocument, Operation } from '@/lib/entry/openapi/types';
import { readSettings } from '@/lib/platform/config/settings';

/** All routes of the API description. */
export const DESCRIBED_ROUTES: readonly DescribedRoute[] = [...API_ROUTES, ...COUNTER_ROUTES];

/** Returns the API description of the product. @param env settings that differ from the defaults */
export function describedApi(env: Readonly<Record<string, string>> = {}): OpenApiDocument {
  const settings = readSettings(env);
  if (!settings.ok) throw new Error(settings.error.join('\n'));
  return openApiDocument({ routes: DESCRIBED_ROUTES, settings: settings.value, version: '1.2.3' });
}

export interface DescribedOperation {
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly operation: Operation;
}

/** Returns the operations of a description. The webhooks in the description are not included. */
export function operationsOf({ paths }: OpenApiDocument): readonly DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, { get, post, delete: remove }]) => [
    ...(get ? [{ path, method: 'GET' as const, operation: get }] : []),
    ...(post ? [{ path, method: 'POST' as const, operation: post }] : []),
    ...(remove ? [{ path, method: 'DELETE' as const, operation: remove }] : []),
  ]);
}
