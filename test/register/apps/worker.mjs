// Runs endings.mjs on a worker thread.
import { Worker } from 'node:worker_threads';

const worker = new Worker(new URL('./endings.mjs', import.meta.url), { argv: process.argv.slice(2) });
worker.on('error', (error) => console.log('error', error.message));
worker.on('exit', (code) => console.log('exit', code));
