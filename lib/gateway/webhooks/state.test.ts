import { expect, test } from 'vitest';
import { makeOwing } from '@/testing/data/due-deliveries';
import { watchDeliveryMoves } from '@/testing/data/watch-moves';
import { testRuntime } from '@/testing/runtime';
import { DELIVERY_STATES, DELIVERY_TRANSITIONS } from './state';

const runtime = testRuntime();
watchDeliveryMoves(runtime);

test('the table contains every state, and the tests of deliveries fail on transitions that it does not contain', async () => {
  expect(Object.keys(DELIVERY_TRANSITIONS).sort()).toEqual([...DELIVERY_STATES].sort());
  const { merchant } = await makeOwing(runtime(), { count: 1 });
  const move = (to: string) =>
    runtime().db.query({ text: 'UPDATE webhook_delivery SET state = $2::delivery_state, due_at = NULL WHERE merchant_id = $1' }, [
      merchant.id,
      to,
    ]);
  await move('EXHAUSTED');
  await expect(move('SENDING')).rejects.toThrow('a delivery that is EXHAUSTED becomes SENDING');
});
