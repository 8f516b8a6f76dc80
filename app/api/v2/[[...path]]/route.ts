import { everyMethod } from '@/lib/http/api';
import { goneHandler } from '@/lib/http/gone';
import { webRuntime } from '@/lib/server/web-runtime';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(goneHandler('v2', webRuntime));
