import { afterAll, beforeAll } from 'vitest';
import { type Receiver, startReceiver } from './start-receiver';

/** Starts a receiver for a test file. */
export function testReceiver(): Receiver {
  let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver?.stop();
  });
  const running = () => {
    if (!receiver) throw new Error('the receiver starts with the first test');
    return receiver;
  };
  return {
    url: (path) => running().url(path),
    get received() {
      return running().received;
    },
    answer: (how) => running().answer(how),
  };
}
