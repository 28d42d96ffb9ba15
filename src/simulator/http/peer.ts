import type { ServerResponse } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';

/** Whether nobody is left to write to. Over HTTP/2 only the stream knows. */
export function isGone(response: ServerResponse): boolean {
  return response.destroyed || (streamOf(response)?.destroyed ?? false);
}

/** Ends the connection without a word; over HTTP/2 the stream, as broken: without a code it would end in good order. */
export function cutOff(response: ServerResponse): void {
  const stream = streamOf(response);
  if (stream) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}

function streamOf(response: ServerResponse): ServerHttp2Stream | undefined {
  return 'stream' in response ? (response.stream as ServerHttp2Stream) : undefined;
}
