import type { ResolvedModel } from './models.ts';
import { GATEWAY, OTHER, PROFILES, type Profile, profileNamed } from './profiles.ts';

/** What is known of a target before anything was judged. */
export interface Target {
  /** Host, or a label that stands for it. */
  readonly endpoint: string | undefined;
  /** Path of its base URL. */
  readonly path?: string | undefined;
  /** Where the client class fixes it. */
  readonly provider: string | undefined;
  readonly requestModel: string;
  readonly model: ResolvedModel;
}

export interface Recognised {
  readonly profile: Profile;
  /** False where neither host nor model says anything: then only what holds everywhere is judged. */
  readonly known: boolean;
}

/** Slugs of routers begin with the maker's name as OpenRouter spells it. */
const SLUG =
  /^(?:anthropic|openai|google|x-ai|deepseek|moonshotai|z-ai|minimax|qwen|mistralai|xiaomi|nvidia|meta-llama)\//;

/**
 * By configuration, then host, then what the answers carry, then the model's name: the same model is served by hosts
 * with opposite rules.
 * @param configured name of a profile by a part of the host, from the user's settings.
 * @param signature name of the profile that earlier answers of the same place point to.
 */
export function recognise(
  target: Target,
  configured: Readonly<Record<string, string>>,
  signature: string | undefined,
): Recognised {
  const place = (target.endpoint ?? '').toLowerCase();
  for (const [part, name] of Object.entries(configured)) {
    const profile = place.includes(part.toLowerCase()) ? profileNamed(name) : undefined;
    if (profile !== undefined) return { profile, known: true };
  }
  const byHost =
    hostProfile(place, target.path) ??
    (target.endpoint === undefined ? hostProfile(classOf(target.provider)) : undefined);
  const hint = signature === undefined ? undefined : profileNamed(signature);
  // A server of one's own says by its fields what it is.
  if (byHost !== undefined) return { profile: byHost.name === 'self_hosted' ? (hint ?? byHost) : byHost, known: true };
  if (hint !== undefined) return { profile: hint, known: true };
  const { vendor } = target.model;
  if (SLUG.test(target.requestModel)) return { profile: profileNamed('openrouter') ?? GATEWAY, known: true };
  const own = PROFILES.find((profile) => profile.vendor === vendor);
  if (own !== undefined) return { profile: own, known: true };
  return vendor === 'unknown' ? { profile: OTHER, known: false } : { profile: GATEWAY, known: true };
}

const byPlace = new Map<string, readonly Profile[]>();

function hostProfile(place: string, path = ''): Profile | undefined {
  if (place === '') return undefined;
  const found = byPlace.get(place) ?? PROFILES.filter(({ host }) => host.test(place));
  if (byPlace.size < 500) byPlace.set(place, found);
  return found.find((profile) => profile.path?.test(place + path) ?? true);
}

/** The client class of Azure says where it sends; `openai` is what every client of that package is called. */
const classOf = (provider: string | undefined): string =>
  provider === undefined || provider === 'openai' ? '' : provider;

/** What an answer carries, reduced to what tells one host from another. */
export interface Traits {
  readonly details: 'none' | 'plain' | 'formatted';
  readonly thinkingBlocks: boolean;
  readonly opaque: boolean;
  readonly googleSignature: boolean;
  readonly chunks: boolean;
  readonly upstream: boolean;
  readonly cacheHitTokens: boolean;
}

/** Only what points to one host; a lone `reasoning` or `reasoning_content` does not. */
const SIGNATURES: readonly (readonly [name: string, fits: (traits: Traits) => boolean])[] = [
  ['litellm', ({ thinkingBlocks }) => thinkingBlocks],
  ['openrouter', ({ details, upstream }) => details === 'formatted' || upstream],
  ['minimax', ({ details }) => details === 'plain'],
  ['copilot', ({ opaque }) => opaque],
  ['gemini', ({ googleSignature }) => googleSignature],
  ['mistral', ({ chunks }) => chunks],
  ['deepseek', ({ cacheHitTokens }) => cacheHitTokens],
];

export function signatureOf(traits: Traits): string | undefined {
  return SIGNATURES.find(([, fits]) => fits(traits))?.[0];
}
