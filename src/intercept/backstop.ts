/**
 * Ends what nobody will read any more: garbage collection is the last event in the life of an abandoned stream or
 * promise. Timing is the collector's, so this bounds abandonment and nothing else.
 *
 * What is registered for an object must not refer to that object, or it could never be collected.
 */
export interface Abandonable {
  abandoned(): void;
}

const registry = new FinalizationRegistry<Abandonable>((held) => held.abandoned());

export function endWhenCollected(target: object, held: Abandonable): void {
  registry.register(target, held, held);
}

export function stopWaitingFor(held: Abandonable): void {
  registry.unregister(held);
}
