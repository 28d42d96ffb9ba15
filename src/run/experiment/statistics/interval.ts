/** An estimate, and the interval that holds the true value with a confidence of 95%. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export const CONFIDENCE = 0.95;

/** Quantile of the normal distribution for a confidence of 95%, both sides. */
export const Z = 1.959963984540054;
