import type { Span } from '@opentelemetry/api';
import type { Finding } from '../continuity/judgement.ts';
import {
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_FINDING_CERTAINTY,
  ATTR_REASONING_FINDING_COUNT,
  ATTR_REASONING_FINDING_CULPRIT,
  ATTR_REASONING_FINDING_CYCLE,
  ATTR_REASONING_FINDING_KIND,
  ATTR_REASONING_FINDING_PATH,
  ATTR_REASONING_FINDING_SEVERITY,
  ATTR_REASONING_FINDING_SOURCE,
  ATTR_REASONING_FINDING_TOKENS,
  ATTR_REASONING_PRODUCER_SPAN_ID,
  EVENT_REASONING_FINDING,
} from '../semconv.ts';
import { type AttributeRow, type Gated, gate } from './gate.ts';

/** An SDK keeps 128 events a span by default and drops the oldest; the counts on the span are whole in any case. */
const MAX_EVENTS = 128;

const ROWS: ReadonlyArray<AttributeRow<Finding>> = [
  [ATTR_REASONING_FINDING_KIND, (finding) => finding.kind],
  [ATTR_REASONING_FINDING_COUNT, (finding) => finding.count],
  [ATTR_REASONING_FINDING_TOKENS, (finding) => finding.tokens],
  [ATTR_REASONING_FINDING_SEVERITY, (finding) => finding.severity],
  [ATTR_REASONING_FINDING_CERTAINTY, (finding) => finding.certainty],
  [ATTR_REASONING_FINDING_SOURCE, (finding) => finding.source],
  [ATTR_REASONING_FINDING_PATH, (finding) => finding.path],
  [ATTR_REASONING_FINDING_CYCLE, (finding) => finding.cycle],
  [ATTR_REASONING_FINDING_CULPRIT, (finding) => finding.culprit],
  [ATTR_REASONING_DROP_REASON, (finding) => finding.reason],
  // A producer whose span was never started has no id.
  [ATTR_REASONING_PRODUCER_SPAN_ID, (finding) => finding.producer?.spanId || undefined],
];

/** The attributes of the event of one finding. */
export const findingAttributes = (finding: Finding): Gated => gate('event', ROWS, finding);

/** Writes one event for each finding, losses before notes where there are more than a span keeps. */
export function writeFindingEvents(span: Span, findings: readonly Finding[]): void {
  const kept =
    findings.length <= MAX_EVENTS
      ? findings
      : [...findings]
          .sort((a, b) => Number(b.severity === 'loss') - Number(a.severity === 'loss'))
          .slice(0, MAX_EVENTS);
  for (const finding of kept) span.addEvent(EVENT_REASONING_FINDING, findingAttributes(finding));
}
