// The ways in which a process ends. Those that wait say `ready` once they can be signalled.
const { createRequire } = require('node:module');

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

function waitForSignal() {
  const timer = setInterval(() => {}, 1000);
  console.log('ready');
  return timer;
}

const ENDS = {
  nothing: () => {},
  exitCode: () => {
    process.exitCode = 4;
  },
  soon: () => {
    setTimeout(() => {}, 1000);
  },
  exit: () => process.exit(3),
  exitInside: () => process.on('beforeExit', () => process.exit(5)),
  throw: () => {
    setTimeout(() => {
      throw new Error('boom');
    });
  },
  reject: () => {
    Promise.reject(new Error('unheard'));
  },
  caught: () => {
    process.on('uncaughtException', () => process.exit(6));
    setTimeout(() => {
      throw new Error('boom');
    });
  },
  signal: waitForSignal,
  listener: () => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        console.log('cleaning up');
        clearInterval(timer);
      });
    }
    const timer = waitForSignal();
  },
  listenerExits: () => {
    for (const signal of SIGNALS) process.on(signal, () => process.exit(7));
    waitForSignal();
  },
  signalExit: () => {
    // A package that many command line programs hold, found as they hold it.
    const { onExit } = createRequire(require.resolve('log-update'))('signal-exit');
    onExit((code, signal) => console.log('bye', code, signal));
    waitForSignal();
  },
};

exports.endBy = (name) => ENDS[name]();
