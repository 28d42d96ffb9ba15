import type { Judgement } from '../continuity/judgement.ts';
import { createLedger } from '../continuity/ledger.ts';
import type { ApiName, CallEnd, Dialect, DialectCall } from '../dialects/dialect.ts';
import type { Transcript, TranscriptStep } from './transcript.ts';
import { wholeStream } from './whole-stream.ts';

/** What the audit says of one request: its judgement, or why there is none. */
export type StepReport =
  | { readonly step: number; readonly api: ApiName; readonly judgement: Judgement }
  | { readonly step: number; readonly api: ApiName; readonly unjudged: string };

/** The dialects that are built, by API. */
export type Dialects = Readonly<Partial<Record<ApiName, Dialect>>>;

export interface Replay {
  readonly steps: readonly StepReport[];
  /** What could not be judged, one line each, without the file's name. */
  readonly problems: readonly string[];
}

interface OpenRequest {
  readonly step: number;
  readonly api: ApiName;
  /** Undefined where no dialect reads this request: its answers are swallowed. */
  readonly call: DialectCall | undefined;
  readonly aborted: boolean;
}

/**
 * Runs recorded traffic through the dialects, with a ledger of its own, as if it were happening now.
 * An answer belongs to the request that `meta.answers` names, else to the nearest earlier request of its
 * API that has none yet. A request that is never answered is judged alone.
 */
export function replay(transcript: Transcript, dialects: Dialects): Replay {
  // Room for every answer of the file: nothing may be forgotten, however long the transcript.
  const ledger = createLedger({ maxEntries: transcript.steps.length });
  const reports = new Map<number, StepReport>();
  const problems: string[] = [];
  const open: OpenRequest[] = [];

  const close = (request: OpenRequest, end: CallEnd): void => {
    if (request.call === undefined) return;
    reports.set(request.step, { step: request.step, api: request.api, judgement: request.call.close(end) });
  };
  const cannotJudge = (step: number, api: ApiName, unjudged: string): void => {
    problems.push(`step ${step}: ${unjudged}`);
    reports.set(step, { step, api, unjudged });
  };
  const ask = (step: TranscriptStep, index: number): void => {
    const dialect = dialects[step.api];
    const call = dialect?.open(requestInput(step), ledger);
    open.push({ step: index, api: step.api, call, aborted: step.meta?.aborted === true });
    if (dialect === undefined) cannotJudge(index, step.api, notBuilt(step.api, dialects));
    else if (call === undefined) cannotJudge(index, step.api, notRead(step));
  };
  const answer = (step: TranscriptStep, index: number): void => {
    const place = open.findLastIndex((request) =>
      step.meta?.answers === undefined ? request.api === step.api : request.step === step.meta.answers,
    );
    const [request] = place < 0 ? [] : open.splice(place, 1);
    if (request === undefined) problems.push(`step ${index}: ${noRequest(step)}`);
    else close(request, feed(request, step));
  };

  for (const [index, step] of transcript.steps.entries()) {
    if (step.request !== undefined) ask(step, index);
    else answer(step, index);
  }
  for (const request of open) close(request, request.aborted ? 'aborted' : 'unread');
  return { steps: [...reports.values()].sort((a, b) => a.step - b.step), problems };
}

const modelMember = (api: ApiName): string => (api === 'bedrock.converse' ? 'modelId' : 'model');

function requestInput(step: TranscriptStep) {
  const { endpoint, auth_fingerprint: account, leg, headers, model } = step.meta ?? {};
  return {
    body: model === undefined ? step.request : { [modelMember(step.api)]: model, ...step.request },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(account === undefined ? {} : { account }),
    ...(leg === undefined ? {} : { leg }),
    ...(headers === undefined ? {} : { headers: lowerCase(headers) }),
  };
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Hands an answer to its call; the stream is what arrived, so it wins over the assembled result beside it. */
function feed(request: OpenRequest, step: TranscriptStep): CallEnd {
  const aborted = request.aborted || step.meta?.aborted === true;
  if (step.error !== undefined) {
    const { status, message, provider } = step.error;
    const headers = step.meta?.headers;
    request.call?.error({
      status,
      message,
      ...(provider === undefined ? {} : { provider }),
      ...(headers === undefined ? {} : { headers: lowerCase(headers) }),
    });
    return 'failed';
  }
  const response = step.response ?? {};
  if (Array.isArray(response.stream)) {
    for (const event of wholeStream(step.api, response, response.stream, aborted)) request.call?.event(event);
  } else {
    request.call?.response(response);
  }
  return aborted ? 'aborted' : 'completed';
}

function notRead({ api, request = {}, meta }: TranscriptStep): string {
  const member = modelMember(api);
  return member in request || meta?.model !== undefined
    ? `request: is not a body of ${api}`
    : `request.${member} is missing; where it is the URL that names the model, put it into meta.model`;
}

const notBuilt = (api: ApiName, dialects: Dialects): string =>
  `${api}: not judged, this version reads ${Object.keys(dialects).join(', ')} only`;

const noRequest = (step: TranscriptStep): string => {
  const part = step.error === undefined ? 'response' : 'error';
  return step.meta?.answers === undefined
    ? `${part}: no earlier ${step.api} request is waiting for an answer`
    : `meta.answers: step ${step.meta.answers} has its answer already`;
};
