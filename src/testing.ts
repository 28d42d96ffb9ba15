/** `reasoning-otel/testing`: for the tests of an application, whatever runs them. */
export { type ExpectIntactOptions, expectIntact } from './run/expect-intact.ts';
