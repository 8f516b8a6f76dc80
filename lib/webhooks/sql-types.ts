import { enumType } from '@/lib/db/sql-types';

export const deliveryState = enumType('delivery_state', ['BLOCKED', 'PENDING', 'DELIVERED', 'EXHAUSTED', 'SENDING', 'UNSENT']);
export const deliveryTrigger = enumType('delivery_trigger', ['automatic', 'manual', 'bulk', 'test', 'check']);
export const endpointStatus = enumType('endpoint_status', ['active', 'paused', 'disabled']);
