import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the assertions hold. What is asked for travels through several programs, each with a delay of its own.
 * @throws what the assertions last said, once the time is up
 */
export async function eventually<T>(check: () => Promise<T>, withinMs = 60_000): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(300);
    }
  }
}
