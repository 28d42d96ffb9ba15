import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where programs are built and what they keep while they run. */
export const STACK_CACHE = process.env.REASONING_OTEL_STACK_CACHE ?? join(ROOT, '.cache', 'stack');

/** A Go module in collector/build/ and the commands that are built from it. */
export interface Program {
  /** Folder of the module. */
  readonly name: 'collector' | 'jaeger' | 'prometheus' | 'alertmanager' | 'compose';
  /** Name of the file that is built, and the import path it is built from. */
  readonly commands: ReadonlyArray<readonly [file: string, path: string]>;
  readonly tags?: string;
  /** How long a first build took on two cores, for whoever waits. */
  readonly minutes: number;
}

/** What `npm run stack` starts. A module for each program: what they depend on does not agree. */
export const PROGRAMS: readonly Program[] = [
  {
    name: 'prometheus',
    commands: [
      ['prometheus', 'github.com/prometheus/prometheus/cmd/prometheus'],
      ['promtool', 'github.com/prometheus/prometheus/cmd/promtool'],
    ],
    // Without the clients of every cloud's service discovery it builds in half the time; files and fixed lists remain.
    tags: 'netgo,remove_all_sd',
    minutes: 2,
  },
  {
    name: 'alertmanager',
    commands: [['alertmanager', 'github.com/prometheus/alertmanager/cmd/alertmanager']],
    minutes: 0.5,
  },
  { name: 'jaeger', commands: [['jaeger', 'github.com/jaegertracing/jaeger/cmd/jaeger']], minutes: 3 },
  { name: 'collector', commands: [['collector', 'reasoning-otel/collector/build/collector']], minutes: 1.5 },
];

/** What the checks need beside: the reader of Compose files that Compose itself uses. */
export const CHECKERS: readonly Program[] = [
  { name: 'compose', commands: [['compose-check', 'github.com/compose-spec/compose-go/v2/cmd']], minutes: 0.3 },
];

/** Path of a built command, for example `promtool`. */
export const binary = (command: string): string => join(STACK_CACHE, 'bin', command);
