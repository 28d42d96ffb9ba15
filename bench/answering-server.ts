/** Answers every request, in the form of the API that its path names, with the answer of the run and step that its headers
 * name. A process of its own, so that its processor time is not counted. */
import { createServer } from 'node:http';
import { API_RUNS } from './api-runs.ts';

const { messages, responses, chat } = API_RUNS;
const runOf = (path = '') => [chat, responses].find(({ path: own }) => path.endsWith(own)) ?? messages;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { answerJson } = runOf(request.url);
    response.setHeader('content-type', 'application/json');
    response.end(answerJson(String(request.headers['x-run']), Number(request.headers['x-step'])));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
