import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where programs are built and what they keep while they run. */
export const STACK_CACHE = process.env.REASONING_OTEL_STACK_CACHE ?? join(ROOT, '.cache', 'stack');

/** A Go module in collector/build/ and the commands that are built from it. */
export interface Program {
  /** Folder of the module. */
  readonly name: 'collector' | 'jaeger' | 'prometheus' | 'alertmanager';
  /** Import paths of the commands; the last part is the name of the file that is built. */
  readonly commands: readonly string[];
  readonly tags?: string;
  /** How long a first build took on two cores, for whoever waits. */
  readonly minutes: number;
}

/** A module for each program: what they depend on does not agree. */
export const PROGRAMS: readonly Program[] = [
  {
    name: 'prometheus',
    commands: ['github.com/prometheus/prometheus/cmd/prometheus', 'github.com/prometheus/prometheus/cmd/promtool'],
    // Without the clients of every cloud's service discovery it builds in half the time; files and fixed lists remain.
    tags: 'netgo,remove_all_sd',
    minutes: 2,
  },
  { name: 'alertmanager', commands: ['github.com/prometheus/alertmanager/cmd/alertmanager'], minutes: 0.5 },
  { name: 'jaeger', commands: ['github.com/jaegertracing/jaeger/cmd/jaeger'], minutes: 3 },
  { name: 'collector', commands: ['reasoning-otel/collector/build/collector'], minutes: 1.5 },
];

/** Path of a built command, for example `promtool`. */
export const binary = (command: string): string => join(STACK_CACHE, 'bin', command);
