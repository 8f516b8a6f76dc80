import { enumType } from '@/lib/db/sql-types';

/** `answer`: to a prompt request. `reversal`: to a reversal request. `status` and `reversal_status`: to status queries about them. */
const MESSAGE_KINDS = ['answer', 'status', 'callback', 'reversal', 'reversal_status'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export const messageKind = enumType('message_kind', MESSAGE_KINDS);
export const lostAnswer = enumType('lost_answer', ['not_sent', 'unknown']);
