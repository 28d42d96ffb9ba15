import type { Delivery, StreamPlace } from './delivery.ts';
import type { StreamEvent } from './exchange.ts';

/** The index before which a fault strikes, -1 for one that has no place; past the end when no event has the name. */
export function faultIndex(events: readonly StreamEvent[], delivery: Delivery | undefined): number {
  if (delivery?.kind === 'cut') return delivery.at ? indexOf(events, delivery.at) : Math.max(0, events.length - 1);
  if (delivery?.kind === 'error_event' || delivery?.kind === 'malformed') return indexOf(events, delivery.at);
  return -1;
}

function indexOf(events: readonly StreamEvent[], place: StreamPlace): number {
  let left = place.nth ?? 1;
  for (const [index, event] of events.entries()) {
    const delta = event.data.delta;
    const deltaType = typeof delta === 'object' && delta !== null && 'type' in delta ? delta.type : undefined;
    if (event.event !== place.event && deltaType !== place.event) continue;
    left -= 1;
    if (left === 0) return place.when === 'after' ? index + 1 : index;
  }
  return events.length;
}

/** An error in mid-stream as the Anthropic API tells it. */
export function anthropicErrorEvent(type: string, message: string): StreamEvent {
  return { event: 'error', data: { type: 'error', error: { type, message } } };
}
