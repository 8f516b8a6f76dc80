import { unknownPathHandler } from '@/lib/http/answer-api';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(unknownPathHandler(webRuntime));
