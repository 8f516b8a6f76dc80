import { z } from 'zod';
import { enumType } from '@/lib/db/sql-types';
import { ACTIONS, FINDINGS } from './rules';
import { MONEY_KINDS } from './statement';

export const finding = enumType('reconciliation_finding', FINDINGS);
export const action = enumType('reconciliation_action', ACTIONS);

/** The kinds that statements contain. Corrections exist only in the ledger. */
export const moneyKindSchema = z.enum(MONEY_KINDS);
