import { logoHandler } from '@/lib/http/logo';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(logoHandler('/pay/logo', webRuntime));
