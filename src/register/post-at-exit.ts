/**
 * The child process that posts what its parent could not send any more. Reads a JSON array of `Parcel`s from stdin.
 * Built-in modules only, so that it is up at once. Exit code: 0 all taken, 1 nobody listened, 2 refused.
 */
import { readFileSync } from 'node:fs';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { connect, constants } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import type { Parcel } from './parcel.ts';

type Outcome = 0 | 1 | 2;

const tlsOf = ({ tls }: Parcel): { ca?: Buffer; cert?: Buffer; key?: Buffer } =>
  Object.fromEntries(Object.entries(tls).map(([name, file]) => [name, readFileSync(file)]));

function post(parcel: Parcel): Promise<Outcome> {
  return new Promise((resolve) => {
    const url = new URL(parcel.url);
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const options: RequestOptions = { method: 'POST', headers: parcel.headers, ...tlsOf(parcel) };
    request(url, options, (response) => {
      const { statusCode = 0 } = response;
      response.resume().on('end', () => resolve(statusCode >= 200 && statusCode < 300 ? 0 : 2));
      response.on('error', () => resolve(2));
    })
      .on('error', () => resolve(1))
      .end(Buffer.from(parcel.body, 'base64'));
  });
}

/** One unary call: a message behind one byte for "not compressed" and four for its length; the status is in a trailer. */
function call(parcel: Parcel): Promise<Outcome> {
  return new Promise((resolve) => {
    const { origin, pathname } = new URL(parcel.url);
    const session = connect(origin, tlsOf(parcel)).on('error', () => resolve(1));
    const message = Buffer.from(parcel.body, 'base64');
    const frame = Buffer.alloc(5);
    frame.writeUInt32BE(message.length, 1);
    const settle = (status: unknown): void => {
      session.close();
      resolve(status === '0' ? 0 : 2);
    };
    session
      .request({
        ...parcel.headers,
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: pathname,
        te: 'trailers',
      })
      .on('response', (headers) => {
        if (headers['grpc-status'] !== undefined) settle(headers['grpc-status']);
      })
      .on('trailers', (trailers) => settle(trailers['grpc-status']))
      .on('error', () => settle(undefined))
      .on('end', () => settle(undefined))
      .resume()
      .end(Buffer.concat([frame, message]));
  });
}

const parcels: readonly Parcel[] = JSON.parse(readFileSync(0, 'utf8'));
void Promise.all(parcels.map((parcel) => (parcel.kind === 'grpc' ? call(parcel) : post(parcel)))).then((outcomes) => {
  process.exitCode = Math.max(...outcomes, 0);
});
