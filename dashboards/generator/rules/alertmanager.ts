import { ATTR_GEN_AI_REQUEST_MODEL } from '../../../src/semconv.ts';
import { labelName } from '../prometheus-name.ts';

/** An example: severities to receivers, and one page for one cause. The receivers are for a team to fill. */
export const alertmanager = {
  route: {
    receiver: 'tickets',
    group_by: ['alertname', 'job'],
    group_wait: '10s',
    group_interval: '5m',
    repeat_interval: '12h',
    routes: [
      { matchers: ['severity="critical"'], receiver: 'on-call', repeat_interval: '1h' },
      { matchers: ['severity="info"'], receiver: 'nobody' },
    ],
  },
  inhibit_rules: [
    {
      // What burns fast burns slowly too, and drops blocks.
      source_matchers: ['alertname="ReasoningContinuityBudgetBurnFast"'],
      target_matchers: ['alertname=~"ReasoningContinuityBudgetBurnSlow|ReasoningBlocksDropped"'],
      equal: ['job', labelName(ATTR_GEN_AI_REQUEST_MODEL)],
    },
    {
      source_matchers: ['alertname="ReasoningContinuityBudgetBurnSlow"'],
      target_matchers: ['alertname="ReasoningBlocksDropped"'],
      equal: ['job', labelName(ATTR_GEN_AI_REQUEST_MODEL)],
    },
  ],
  receivers: [{ name: 'on-call' }, { name: 'tickets' }, { name: 'nobody' }],
};
