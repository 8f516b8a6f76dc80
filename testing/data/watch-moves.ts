import { beforeAll } from 'vitest';
import { DELIVERY_TRANSITIONS, FIRST_DELIVERY_STATES } from '@/lib/gateway/webhooks/state';
import type { TestRuntime } from '../runtime';

/** Makes a test file's database refuse transitions that are not in the table of delivery states. */
export function watchDeliveryMoves(runtime: () => TestRuntime): void {
  const moves = Object.entries(DELIVERY_TRANSITIONS).flatMap(([from, all]) => all.map((to) => `${from} ${to}`));
  const list = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');
  beforeAll(async () => {
    await runtime().owner.query({
      text: `CREATE FUNCTION refuse_delivery_move() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN
               IF current_setting('test.forgets', true) = 'on' THEN RETURN NEW; END IF;
               IF TG_OP = 'INSERT' AND NEW.trigger = 'automatic' AND NEW.state::text NOT IN (${list(FIRST_DELIVERY_STATES)})
                 THEN RAISE 'a delivery begins as %', NEW.state; END IF;
               IF TG_OP = 'UPDATE' AND NEW.state <> OLD.state AND OLD.state || ' ' || NEW.state NOT IN (${list(moves)})
                 THEN RAISE 'a delivery that is % becomes %', OLD.state, NEW.state; END IF;
               RETURN NEW;
             END $$`,
    });
    await runtime().owner.query({
      text: `CREATE TRIGGER refuse_delivery_move BEFORE INSERT OR UPDATE ON webhook_delivery FOR EACH ROW EXECUTE FUNCTION refuse_delivery_move()`,
    });
  });
}
