import type { ModelRow } from './models.ts';

/** A user's own rows. */
export interface ChatTables {
  /** By normalised id. */
  readonly models: Readonly<Record<string, ModelRow>>;
  /** Name of a profile, by a part of the host. */
  readonly hosts: Readonly<Record<string, string>>;
}
