import { healthHandler } from '@/lib/http/health';

export const GET = healthHandler();
