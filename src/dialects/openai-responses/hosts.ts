import type { ResolvedModel } from './models.ts';

/**
 * What differs from host to host of this API, as data: the vendors' own pages and reports, read 2026-11-30
 * (learn.microsoft.com Azure OpenAI reasoning, docs.x.ai troubleshooting-reasoning, openrouter.ai Responses API).
 */
interface HostRow {
  readonly name: string;
  /** Against `{client class} {host}`. */
  readonly pattern: RegExp;
  /** `gen_ai.provider.name`. */
  readonly provider: string;
  /** Refuses a reasoning item without its follower and the other way round. `upstream`: whoever stands behind it may. */
  readonly pairing: 'enforced' | 'upstream' | 'none';
  /** Keeps responses, so that they can be named (`previous_response_id`, `conversation`, item references). */
  readonly keepsState: boolean;
  /** `one`: seals are good wherever the host is reached; `each`: every address is a place of its own. */
  readonly routes: 'one' | 'each';
  /** Another deployment of the same host has been reported to refuse seals (openai/codex#17541). */
  readonly deployments: boolean;
}

const OWN = { keepsState: true, routes: 'each', deployments: false } as const;
const HOSTS: readonly HostRow[] = [
  {
    ...OWN,
    name: 'azure',
    pattern: /azure/,
    provider: 'azure.ai.openai',
    pairing: 'enforced',
    deployments: true,
  },
  {
    ...OWN,
    name: 'xai',
    pattern: /(^|[^a-z])(x\.ai|xai|x_ai)([^a-z]|$)/,
    provider: 'x_ai',
    pairing: 'none',
    routes: 'one',
  },
  { ...OWN, name: 'openrouter', pattern: /openrouter/, provider: 'openrouter', pairing: 'none', keepsState: false },
  { ...OWN, name: 'deepseek', pattern: /deepseek/, provider: 'deepseek', pairing: 'none' },
  { ...OWN, name: 'bedrock', pattern: /bedrock|amazonaws/, provider: 'aws.bedrock', pairing: 'upstream' },
  { ...OWN, name: 'groq', pattern: /groq/, provider: 'groq', pairing: 'none', keepsState: false },
  { ...OWN, name: 'copilot', pattern: /copilot/, provider: 'openai', pairing: 'enforced' },
  { ...OWN, name: 'chatgpt', pattern: /chatgpt\.com/, provider: 'openai', pairing: 'enforced' },
  {
    ...OWN,
    name: 'openai',
    pattern: /(^|[^a-z])openai\.com([^a-z]|$)|^\s*openai\s*$|^\s*openai\s+openai\s*$/,
    provider: 'openai',
    pairing: 'enforced',
    routes: 'one',
  },
];

/** A gateway, proxy or server of one's own. */
const OTHER = { ...OWN, name: 'other', provider: 'openai', pairing: 'upstream' } as const;

export interface Host {
  readonly name: string;
  readonly provider: string;
  readonly pairing: 'enforced' | 'upstream' | 'none';
  readonly keepsState: boolean;
  readonly deployments: boolean;
  /** Seals made on one route are not readable on another. */
  readonly route: string;
}

/** Without an endpoint the host is the maker's own. */
export function hostOf(provider: string | undefined, endpoint: string | undefined, model: ResolvedModel): Host {
  const place = `${provider ?? ''} ${endpoint ?? ''}`.trim().toLowerCase();
  const named = endpoint === undefined && (place === '' || place === 'openai') ? '' : place;
  const row =
    named === '' ? HOSTS.find(({ name }) => name === model.vendor) : HOSTS.find(({ pattern }) => pattern.test(named));
  const known = row ?? OTHER;
  return {
    name: known.name,
    provider: provider ?? known.provider,
    pairing: pairingOf(known.pairing, model),
    keepsState: known.keepsState,
    deployments: known.deployments,
    route: known.routes === 'one' || endpoint === undefined ? known.name : `${known.name}:${endpoint.toLowerCase()}`,
  };
}

/** The pairing is a rule of OpenAI's own models: other makers' and open weights are served without it. */
function pairingOf(pairing: Host['pairing'], model: ResolvedModel): Host['pairing'] {
  if (model.row?.openWeights || (model.vendor !== 'openai' && model.vendor !== 'unknown')) return 'none';
  return pairing === 'upstream' && model.vendor === 'unknown' ? 'none' : pairing;
}
