import { API_ROUTES } from '@/app/api-routes';
import { everyMethod } from '@/lib/http/route-module';
import { openApiHandler } from '@/lib/openapi/serve-document';
import { webRuntime } from '@/lib/server/web-runtime';

const routes = API_ROUTES.map(({ route }) => route);

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(openApiHandler(routes, webRuntime));
