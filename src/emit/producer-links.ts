import { isSpanContextValid, type Link } from '@opentelemetry/api';
import type { ProducerRef } from '../continuity/judgement.ts';

const MAX_LINKS = 8;

/** Links to the steps whose blocks a request sends again, newest first. Steps without a span of their own have none. */
export const producerLinks = (producers: readonly ProducerRef[]): Link[] =>
  producers
    .filter(isSpanContextValid)
    .slice(0, MAX_LINKS)
    .map(({ traceId, spanId, traceFlags }) => ({ context: { traceId, spanId, traceFlags } }));
