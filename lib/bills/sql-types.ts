import { enumType } from '@/lib/db/sql-types';
import { BILL_STATUSES } from './rules';

export const billStatus = enumType('bill_status', BILL_STATUSES);
