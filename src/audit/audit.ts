import type { ApiName, Dialect } from '../dialects/dialect.ts';
import { dialects } from '../dialects/index.ts';
import { readInput } from './read-input.ts';
import { replay } from './replay.ts';
import { jsonReport } from './report-json.ts';
import { textReport } from './report-text.ts';

/** 0: nothing lost (notes at most). 1: findings. 2: something could not be read or judged; it wins over 1. */
type ExitCode = 0 | 1 | 2;

/**
 * Reports on recorded traffic.
 * @param files paths of transcripts; `-` is standard input
 * @param options.dialects the APIs that it can read; without, those that are built
 * @param options.json one line of JSON a file instead of the readable report
 * @param options.write takes one line of the report
 * @param options.warn takes one line that says what could not be read or judged, and where
 * @returns the exit code: 0 nothing lost, 1 findings, 2 input that cannot be read or judged
 */
export async function audit(
  files: string[],
  options: {
    json: boolean;
    dialects?: Readonly<Partial<Record<ApiName, Dialect>>>;
    write: (line: string) => void;
    warn: (line: string) => void;
  },
): Promise<number> {
  let worst: ExitCode = 0;
  for (const file of files) {
    const code = await auditFile(file, options);
    if (code > worst) worst = code;
  }
  return worst;
}

async function auditFile(file: string, options: Parameters<typeof audit>[1]): Promise<ExitCode> {
  const { json, write, warn } = options;
  const input = await readInput(file);
  if ('problem' in input) {
    warn(input.problem);
    return 2;
  }
  const { steps, problems } = replay(input.transcript, options.dialects ?? dialects);
  for (const problem of problems) warn(`${file}: ${problem}`);
  if (json) write(jsonReport(file, steps));
  else for (const line of textReport(file, steps)) write(line);
  if (problems.length > 0) return 2;
  return steps.some((step) => 'judgement' in step && step.judgement.verdict === 'finding') ? 1 : 0;
}
