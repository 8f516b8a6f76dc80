import { healthHandler } from '@/lib/http/health';
import { everyMethod } from '@/lib/http/route-module';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(healthHandler());
