import { everyMethod } from '@/lib/http/api';
import { readinessHandler } from '@/lib/http/health';
import { webRuntime } from '@/lib/server/web-runtime';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(readinessHandler(webRuntime));
