import { onTestFinished } from 'vitest';
import { type Receiver, type RunningReceiver, runGrpcReceiver, runReceiver } from './otlp.ts';

/** Until the test is over. */
function forThisTest(receiver: RunningReceiver): Receiver {
  onTestFinished(receiver.close);
  return receiver;
}

export const startReceiver = async (options?: Parameters<typeof runReceiver>[0]): Promise<Receiver> =>
  forThisTest(await runReceiver(options));

export const startGrpcReceiver = async (): Promise<Receiver> => forThisTest(await runGrpcReceiver());
