import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

/** Whether nobody is left to write to. Over HTTP/2 only the stream knows. */
export function isGone(response: ServerResponse): boolean {
  return response.destroyed || (streamOf(response)?.destroyed ?? false);
}

/** Ends the connection without a word: over HTTP/2 the whole of it, since a stream alone would end in good order. */
export function cutOff(response: ServerResponse): void {
  const session = streamOf(response)?.session;
  if (session) session.destroy();
  else response.destroy();
}

function streamOf(response: ServerResponse): ServerHttp2Stream | undefined {
  return 'stream' in response ? (response.stream as ServerHttp2Stream) : undefined;
}
