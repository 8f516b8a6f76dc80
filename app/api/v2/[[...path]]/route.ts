import { goneHandler } from '@/lib/http/gone';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(goneHandler('v2', webRuntime));
