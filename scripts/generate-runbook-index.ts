/** Writes docs/runbooks/README.md: the alerts, and for each reason of a loss what happened and what mends it. */
import { writeFileSync } from 'node:fs';
import { type AlertSpec, pageOf } from '../dashboards/generator/rules/alert.ts';
import { ALERTS } from '../dashboards/generator/rules/alerts.ts';
import { adviceFor } from '../src/advice.ts';
import {
  CLIENT_DROP_REASONS,
  type DropReason,
  PLANNED_REASONS,
  SERVER_DROP_REASONS,
} from '../src/continuity/vocabulary.ts';
import type { ApiName } from '../src/dialects/dialect.ts';
import { ATTR_REASONING_DROP_REASON, ATTR_REASONING_DROPPED } from '../src/semconv.ts';

const APIS: Readonly<Record<ApiName, string>> = {
  'anthropic.messages': 'Anthropic Messages',
  'openai.responses': 'OpenAI Responses',
  'openai.chat': 'Chat Completions hosts',
  'gemini.generateContent': 'Gemini generateContent',
  'gemini.interactions': 'Gemini Interactions',
  'bedrock.converse': 'Bedrock Converse',
};

const isApi = (name: string): name is ApiName => Object.hasOwn(APIS, name);

const row = ({ name, severity, summary }: AlertSpec): string =>
  `| [${name}](${pageOf(name)}.md) | ${severity} | ${summary} |`;

/** What holds for every API, then where one has its own way. */
function section(reason: DropReason): string {
  const fault = { kind: 'dropped', count: 1, reason };
  const { what, mend } = adviceFor(fault);
  const own = Object.keys(APIS)
    .filter(isApi)
    .flatMap((api) => {
      const by = adviceFor({ ...fault, api }).mend;
      return by === undefined || by === mend ? [] : [`- ${APIS[api]}: ${by}`];
    });
  const head = `### Reason ${reason}`;
  return [
    head,
    what.replace(/^1 reasoning block/, 'Reasoning'),
    ...(mend ? [mend] : []),
    ...(own.length > 0 ? [own.join('\n')] : []),
  ].join('\n\n');
}

const sections = (reasons: readonly DropReason[]): string => reasons.map(section).join('\n\n');

const page = `# Runbooks

Written by \`scripts/generate-runbook-index.ts\`; the pages themselves are written by hand.

\`critical\` pages somebody, \`warning\` is a ticket, \`info\` is for context.

| alert | severity | in one sentence |
| --- | --- | --- |
${ALERTS.map(row).join('\n')}

Every page tells how to find the traces. The short form: in Jaeger search the service for the tag \`${ATTR_REASONING_DROPPED}=true\`, or for one
reason with \`${ATTR_REASONING_DROP_REASON}=…\`; in Tempo \`{ span.${ATTR_REASONING_DROPPED} = true }\`. On the span of the call stands what was lost and why, on its
events \`reasoning.finding\` where in the request, and its links lead to the calls that wrote the blocks.

A loop that can be recorded can be judged without any of this: \`npx reasoning-otel audit run.json\` ([how](../audit.md)).

## Left out by the client

The application did not send what it had been given. \`reasoning.drop.source\` is \`client\`.

${sections(CLIENT_DROP_REASONS)}

## Removed by the provider

Sent, and not shown to the model. \`reasoning.drop.source\` is \`server\`.

${sections(SERVER_DROP_REASONS)}

## Planned

No loss: these count as \`reasoning.blocks.released\` and alert nobody. They are here because the boards show them.

${sections(PLANNED_REASONS)}

## Neither

${sections(['unknown'])}
`;

writeFileSync(new URL('../docs/runbooks/README.md', import.meta.url), page);
