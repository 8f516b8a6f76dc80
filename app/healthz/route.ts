import { everyMethod } from '@/lib/http/api';
import { healthHandler } from '@/lib/http/health';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(healthHandler());
