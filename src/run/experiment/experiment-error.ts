/** What makes an experiment pointless, in one line that says what to change. Ends the experiment, not one run of it. */
export function experimentError(message: string): Error {
  return Object.assign(new Error(message), { name: 'ExperimentError' });
}

export const isExperimentError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ExperimentError';
