/** Answers every request, in the form of the API that its path names, with the answer of the run and step that its headers
 * name. A process of its own, so that its processor time is not counted. */
import { createEitherServer } from '../src/simulator/http/either-server.ts';
import { API_RUNS } from './api-runs.ts';

const runs = Object.values(API_RUNS);
const runOf = (path = '') => runs.find(({ path: own }) => path.endsWith(own)) ?? API_RUNS.messages;

const { server } = createEitherServer(
  (request, response) => {
    request.resume().on('end', () => {
      const { answerJson } = runOf(request.url);
      response.setHeader('content-type', 'application/json');
      response.end(answerJson(String(request.headers['x-run']), Number(request.headers['x-step'])));
    });
  },
  (_request, stream) => stream.destroy(),
);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
