import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { otlpTarget } from '../../src/register/otlp-target.ts';
import { reachability } from '../../src/register/reachability.ts';
import { nowhere } from './support/otlp.ts';
import { startReceiver } from './support/receiver.ts';

const target = (url: string) => otlpTarget('traces', { OTEL_EXPORTER_OTLP_ENDPOINT: url });

it('is up where somebody listens, until an export fails', async () => {
  const reach = reachability(target((await startReceiver()).url));
  expect(reach).toMatchObject({ isUp: false, isDown: false });
  expect(await reach.wait()).toBe(true);
  expect(reach).toMatchObject({ isUp: true, isDown: false });
  reach.doubt();
  expect(reach).toMatchObject({ isUp: false, isDown: false });
});

it('waits for a collector that comes a little later', async () => {
  const url = await nowhere();
  const reach = reachability(target(url));
  const waited = reach.wait();
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve));
  // The pauses keep no process alive, so something else has to.
  const alive = setInterval(() => undefined, 1000);
  expect(await waited).toBe(true);
  clearInterval(alive);
  server.close();
});

it('waits for nobody once the process is about to end', async () => {
  const reach = reachability(target(await nowhere()));
  const waited = reach.wait();
  reach.hurry(true);
  expect(await waited).toBe(false);
  expect(reach).toMatchObject({ isUp: false, isDown: true });
  expect(await reach.wait()).toBe(false);
});

it('asks nothing where there is no address to ask', async () => {
  const reach = reachability(otlpTarget('traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' }));
  expect(reach.isUp).toBe(true);
  expect(await reach.wait()).toBe(true);
  reach.doubt();
  expect(reach.isUp).toBe(true);
});
