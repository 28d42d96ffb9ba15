/** Stands in everything that is content. Found nowhere in telemetry. */
export const MARKER = 'CANARY';

/** Stands in a name that telemetry may show, and that is none: what is odd about it must keep it out. */
export const ODD = `${MARKER} "${MARKER}"\n`;

/** Written by the application on a span, a metric and a line of its own: proof that a marker would be found. */
export const CONTROL = 'CONTROL_OF_THE_APPLICATION';
