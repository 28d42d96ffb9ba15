import { sayOnce } from './say-once.ts';
import { SUPPORTED_SDKS } from './supported-sdks.ts';

/**
 * Whether a version of an SDK can be observed; says so once where it cannot. An unknown version is tried: what is
 * patched is recognised by its shape.
 * @param name of the package
 */
export function isSupportedVersion(name: string, version: string | undefined): boolean {
  const sdk = SUPPORTED_SDKS.find((one) => one.name === name);
  if (!sdk || version === undefined || sdk.inRange(version)) return true;
  sayOnce(
    `range:${name}:${version}`,
    `${name} ${version} is outside the supported range ${sdk.range}: its calls are not observed. ` +
      `Mend it with: npm install ${sdk.newest}`,
  );
  return false;
}
