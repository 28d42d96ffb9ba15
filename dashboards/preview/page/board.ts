/** As much of a classic dashboard as the preview reads. */
import type { DataTransformerConfig, FieldConfigSource } from '@grafana/data';

export interface Target {
  readonly expr: string;
  readonly refId: string;
  readonly legendFormat?: string;
  readonly instant?: boolean;
  readonly format?: string;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly Target[];
  readonly fieldConfig: FieldConfigSource;
  readonly options: Readonly<Record<string, unknown>>;
  readonly transformations?: DataTransformerConfig[];
}

export interface Board {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** What is drawn, and where its numbers come from. Times in seconds since the epoch. */
export interface View {
  readonly board: Board;
  readonly theme: 'light' | 'dark';
  readonly from: number;
  readonly to: number;
  /** Step of a range query, in seconds. */
  readonly step: number;
  /** Grafana's `$__rate_interval`, in seconds: four exports, or all that lie between two points. */
  readonly rateInterval: number;
}
