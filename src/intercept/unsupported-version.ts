import { ANTHROPIC_RANGE, ANTHROPIC_SDK, inAnthropicRange } from './anthropic.ts';
import { sayOnce } from './say-once.ts';

/**
 * Whether a version of the SDK can be observed; says so once where it cannot. An unknown version is tried: what is
 * patched is recognised by its shape.
 */
export function isSupportedVersion(version: string | undefined): boolean {
  if (version === undefined || inAnthropicRange(version)) return true;
  sayOnce(
    `range:${ANTHROPIC_SDK}:${version}`,
    `${ANTHROPIC_SDK} ${version} is outside the supported range ${ANTHROPIC_RANGE}: its calls are not observed. ` +
      `Mend it with: npm install ${ANTHROPIC_SDK}@1`,
  );
  return false;
}
