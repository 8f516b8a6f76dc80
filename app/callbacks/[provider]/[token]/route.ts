import { everyMethod } from '@/lib/http/api';
import { callbackHandler } from '@/lib/http/callback';
import { webRuntime } from '@/lib/server/web-runtime';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(callbackHandler('/callbacks', webRuntime));
