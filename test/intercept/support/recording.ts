import { type Span, trace } from '@opentelemetry/api';
import type { CallObserver, ObserveCall, SeenCall } from '../../../src/observe/seen-call.ts';

/** What interception told of one call, in order. */
export interface Recorded {
  readonly seen: Omit<SeenCall, 'credential' | 'nativeSpan' | 'keeper'>;
  readonly nativeSpan: boolean;
  readonly activeSpan: boolean;
  readonly steps: string[];
  readonly ends: string[];
}

export interface Recorder {
  readonly observe: ObserveCall;
  /** Calls since the last `take`. */
  take(): Recorded[];
}

/** An observer that notes everything and makes nothing of it. Keeps no body, no event and no span. */
export function recorder(): Recorder {
  const calls: Recorded[] = [];
  const observe: ObserveCall = (seen) => {
    const { credential: _, keeper: __, nativeSpan, body, ...rest } = seen;
    const call: Recorded = {
      seen: { ...rest, body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)) },
      nativeSpan: isRecording(nativeSpan),
      activeSpan: trace.getActiveSpan() !== undefined,
      steps: [],
      ends: [],
    };
    calls.push(call);
    return observerOf(call);
  };
  return { observe, take: () => calls.splice(0) };
}

const isRecording = (span: Span | undefined): boolean => span?.isRecording() ?? false;

function observerOf({ steps, ends }: Recorded): CallObserver {
  return {
    run: (fn) => fn(),
    headers: (status, get) => void steps.push(`headers ${status} ${get('request-id') ?? get('x-request-id') ?? '-'}`),
    event: (event) => void steps.push(`event ${typeOf(event)}`),
    response: (value) => void steps.push(`response ${typeOf(value)}`),
    error: ({ status, type, code, message }) =>
      void steps.push(`error ${[status, type, code, message].map((part) => part ?? '-').join(' | ')}`),
    end: (how) => {
      steps.push(`end ${how}`);
      ends.push(how);
    },
  };
}

function typeOf(value: unknown): string {
  const { type, object } = (value ?? {}) as { type?: unknown; object?: unknown };
  return [type, object, typeof value].find((name) => typeof name === 'string') as string;
}
