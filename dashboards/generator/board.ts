import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { buildPanel } from './build-panel.ts';
import { type Band, place } from './layout.ts';
import type { Settings } from './settings.ts';
import { DATASOURCE, variables } from './variables.ts';

export interface BoardSpec {
  /** Stable: links and alerts lead to it. Also the name of its file. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** Whether it has pickers for provider and model. */
  readonly models: boolean;
  readonly from: string;
  readonly bands: (settings: Settings) => readonly Band[];
}

/** On all of our boards, so that each can list the others. */
const TAG = 'reasoning-otel';

/** A version of a service that was not there ten minutes before. `target_info` holds what a resource says of itself. */
const TARGETS = 'target_info{job=~"$job", instance=~"$instance"}';
const VERSIONS = 'job, service_version';
const DEPLOYMENTS = `count by (${VERSIONS}) (${TARGETS}) unless count by (${VERSIONS}) (${TARGETS} offset 10m)`;

const deployments = new AnnotationQueryBuilder()
  .name('Deployments')
  .datasource(DATASOURCE)
  .enable(true)
  .iconColor('blue')
  .expr(DEPLOYMENTS)
  .titleFormat('{{job}} {{service_version}}');

const others = new DashboardLinkBuilder('Reasoning boards')
  .type(DashboardLinkType.Dashboards)
  .tags([TAG])
  .asDropdown(true)
  .includeVars(true)
  .keepTime(true);

/** The board as Grafana's classic JSON model. */
export function buildBoard(spec: BoardSpec, settings: Settings): Dashboard {
  const builder = new DashboardBuilder(spec.title)
    .uid(spec.uid)
    .description(spec.description)
    .tags([TAG])
    .readonly()
    .time({ from: spec.from, to: 'now' })
    .refresh('1m')
    .annotation(deployments)
    .link(others)
    .variables(variables(settings, spec));
  const board = builder.build();
  return {
    ...board,
    // The SDK puts links into a menu of the newest Grafana, where nobody finds them.
    links: board.links?.map(({ placement: _, ...link }) => link),
    panels: place(spec.bands(settings)).map(buildPanel),
  };
}
