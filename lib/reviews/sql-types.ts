import { enumType } from '@/lib/db/sql-types';
import { REVIEW_KINDS } from './rules';

export const reviewKind = enumType('review_kind', REVIEW_KINDS);
