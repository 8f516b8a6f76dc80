import { docsHandler } from '@/lib/docs/serve-docs';
import { SITE_FOLDER } from '@/lib/docs/site-folder';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

/** The list of all pages of the documentation, for language models and other programs. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(docsHandler(SITE_FOLDER, webRuntime));
