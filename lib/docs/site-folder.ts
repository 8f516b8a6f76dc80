import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';

/** The documentation for developers, as `npm run build` writes it. */
export const SITE_FOLDER = join(PROJECT_ROOT, '.build', 'site');
