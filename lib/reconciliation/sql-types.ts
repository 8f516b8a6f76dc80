import { z } from 'zod';
import { enumType } from '@/lib/db/sql-types';
import { ACTIONS } from './rules';
import { MONEY_KINDS } from './statement';

export const finding = enumType('reconciliation_finding', ['matched', 'amount_differs', 'ours_only', 'theirs_only', 'outside_period']);
export const action = enumType('reconciliation_action', ACTIONS);

/** The kinds that statements contain. Corrections exist only in the ledger. */
export const moneyKindSchema = z.enum(MONEY_KINDS);
