import { EVENTS } from './events';
import { GENERAL } from './general';
import { OBJECTS } from './objects';
import { OPERATIONS } from './operations';

/**
 * The lines of the API description in Swahili, by their English text. The build fails if a line of the description is missing here, or if a
 * line here is no longer in the description.
 */
export const SWAHILI_LINES: Readonly<Record<string, string>> = { ...GENERAL, ...OPERATIONS, ...OBJECTS, ...EVENTS };
