import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Keeps the ids that it is told, and kills what is left of them when its input ends. */
const SCRIPT = `
pids=" "
while read -r sign pid; do
  case $sign in
    +) pids="$pids$pid " ;;
    -) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
`;

let guard: ChildProcess | undefined;

function tell(line: string): void {
  if (!guard) {
    guard = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    // Neither it nor the pipe keeps this process alive.
    guard.unref();
    if (guard.stdin instanceof Socket) guard.stdin.unref();
    for (const side of [guard, guard.stdin]) side?.on('error', () => {});
  }
  guard.stdin?.write(`${line}\n`);
}

/**
 * Sees to it that a program does not outlive this process, however that ends: its end of the pipe to a small shell is
 * closed even where a SIGKILL leaves no time for anything else.
 * @returns to be called when the program has ended, so that its id means nothing any more
 */
export function guardProcess(pid: number): () => void {
  tell(`+ ${pid}`);
  return () => tell(`- ${pid}`);
}
