import type { Certainty } from '../../continuity/vocabulary.ts';
import type { ResolvedModel } from './models.ts';

/**
 * Models of one maker that cannot read the seals of another of its models, whichever gateway stands between. Only what the
 * makers' pages settle on every platform (platform.claude.com preserved-thinking, models/fable-5-2), and what is refused by
 * report (ai.google.dev thought-signatures: other models); every other pair counts as readable.
 */
interface UnreadableRow {
  readonly producer: RegExp;
  /** Readers of the same maker for which this row says nothing. */
  readonly except: RegExp;
  readonly certainty: Certainty;
  /** Refused where it is sent, and not left out without a word. */
  readonly refused: boolean;
}

const READS_51 = /^claude-(?:fable|mythos)-5-[12]$/;
const UNREADABLE: readonly UnreadableRow[] = [
  { producer: /^claude-(?:fable|mythos)-5-2$/, except: READS_51, certainty: 'certain', refused: false },
  { producer: /^claude-(?:fable|mythos)-5-1$/, except: READS_51, certainty: 'certain', refused: false },
  // Who of the newest reads them, depends on the platform.
  {
    producer: /^claude-(?:opus|sonnet|haiku)-5-5$/,
    except: /^claude-(?:\w+-5-5|(?:fable|mythos)-5-[12])$/,
    certainty: 'certain',
    refused: false,
  },
  { producer: /^gemini-2/, except: /^gemini-2|^gemini-(?!\d)/, certainty: 'inferred', refused: true },
  { producer: /^gemini-3/, except: /^gemini-3|^gemini-(?!\d)/, certainty: 'inferred', refused: true },
];

/** Why one model of a maker cannot read what another of them sealed; undefined where it can, as far as anybody knows. */
export function unreadableBy(
  producer: ResolvedModel,
  reader: ResolvedModel,
): Pick<UnreadableRow, 'certainty' | 'refused'> | undefined {
  if (producer.id === reader.id || producer.vendor !== reader.vendor) return undefined;
  return UNREADABLE.find((row) => row.producer.test(producer.id) && !row.except.test(reader.id));
}
