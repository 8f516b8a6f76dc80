import { readinessHandler } from '@/lib/http/health';
import { webRuntime } from '@/lib/server/web-runtime';

export const GET = readinessHandler(webRuntime);
