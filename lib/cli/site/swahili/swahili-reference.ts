import { EVENTS } from './events';
import { GENERAL } from './general';
import { OBJECTS } from './objects';
import { OPERATIONS } from './operations';

/**
 * The lines of the API description in Swahili, by their English text, as the reference of the API contains them. A line that is missing
 * here, and one that the description no longer has, fail the build.
 */
export const SWAHILI_LINES: Readonly<Record<string, string>> = { ...GENERAL, ...OPERATIONS, ...OBJECTS, ...EVENTS };
