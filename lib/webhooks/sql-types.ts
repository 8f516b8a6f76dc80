import { enumType } from '@/lib/db/sql-types';
import { DELIVERY_STATES } from './state';

export const deliveryState = enumType('delivery_state', DELIVERY_STATES);
export const deliveryTrigger = enumType('delivery_trigger', ['automatic', 'manual', 'bulk', 'test', 'check']);
export const endpointStatus = enumType('endpoint_status', ['active', 'paused', 'disabled']);
