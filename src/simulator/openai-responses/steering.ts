import type { Wire } from '../json.ts';
import type { HeldResponse } from './store.ts';

/**
 * Steering input always comes too late here, since an answer is finished before its first event is sent. What the
 * client is told then is the documented refusal, with its input handed back.
 * https://platform.openai.com/docs/guides/websocket-mode
 */
export function handleSteer(event: Wire, target: HeldResponse | undefined, laneId: string | undefined): Wire {
  const { previous_response_id, input } = event;
  const [code, message] = problemOf(input, target);
  return {
    type: 'response.steer.failed',
    sequence_number: 0,
    steer: { previous_response_id, input },
    error: { type: 'invalid_request_error', code, message },
    ...(laneId !== undefined && { stream_id: laneId }),
  };
}

function problemOf(input: unknown, target: HeldResponse | undefined): readonly [code: string, message: string] {
  const messages = Array.isArray(input) ? input : [];
  const isValid = typeof input === 'string' || (messages.length > 0 && messages.every((one) => one?.role === 'user'));
  if (!isValid) return ['invalid_input', 'Steering input must be text or messages of the user.'];
  if (!target) return ['response_not_found', 'The response is not available on this connection.'];
  if (!target.steers) return ['steering_not_supported', 'The model does not support steering.'];
  return ['response_already_completed', 'The response completed and no longer accepts steering input.'];
}
