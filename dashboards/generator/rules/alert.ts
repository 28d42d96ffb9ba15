import type { Settings } from '../settings.ts';
import type { Source } from './recording.ts';

export type Severity = 'critical' | 'warning' | 'info';

/** How a number is written in a description. */
export type Form = 'count' | 'percent';

/** Fills the places in a description: with templates in a rule file, with values where a test expects the result. */
export interface Say {
  label(attribute: string): string;
  /** Percent-encoded, for an address. */
  urlLabel(attribute: string): string;
  value(form: Form): string;
}

export interface AlertSpec {
  readonly name: string;
  /** Prometheus alerts where it has a value. */
  readonly expr: (source: Source, settings: Settings) => string;
  /** How long it must hold. */
  readonly for?: string;
  /** How long it goes on after it holds no more. */
  readonly keepFiringFor?: string;
  /** `critical` pages, `warning` is a ticket, `info` is for context. */
  readonly severity: Severity;
  /** One sentence, without templates. */
  readonly summary: string;
  readonly description: (say: Say) => string;
  /** The panel that shows it: uid of the board and the panel's title. */
  readonly panel: readonly [board: string, title: string];
}

/** `ReasoningBlocksDropped` becomes `reasoning-blocks-dropped`, the name of its runbook. */
export const pageOf = (alert: string): string => alert.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
