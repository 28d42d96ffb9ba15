import type { Exchange, Reply } from '../http/exchange.ts';
import { asList, digest, isWire, type Wire } from '../json.ts';
import { seeded } from '../seeded.ts';
import { failure, invalid } from './api-failure.ts';
import { errorReply, headersOf, jsonReply, type ReplyHead } from './replies.ts';

/** Answers one item: the `result` that stands in the results file. */
export type AnswerItem = (params: Wire, label: string) => Promise<Wire>;

export interface Batches {
  /** Undefined for a path that is not one of the batch resource. */
  handle(exchange: Exchange, head: ReplyHead, answer: AnswerItem): Promise<Reply | undefined>;
}

interface StoredBatch {
  readonly wire: Wire;
  readonly results: readonly Wire[];
}

const DAY_MS = 24 * 60 * 60_000;

/** Batches are done the moment they are created. */
export function createBatches(seed: string, now: () => number): Batches {
  const batches = new Map<string, StoredBatch>();
  return {
    async handle(exchange, head, answer) {
      const match = /\/v1\/messages\/batches(?:\/(?<id>[^/]+)(?<results>\/results)?)?$/.exec(exchange.path);
      if (!match) return undefined;
      const { id, results } = match.groups ?? {};
      if (id === undefined && exchange.method === 'POST') {
        let body: unknown;
        try {
          body = JSON.parse(exchange.body);
        } catch {
          return errorReply(invalid('The request body is not valid JSON'), head);
        }
        const items = isWire(body) ? asList(body.requests).filter(isWire) : [];
        if (items.length === 0) return errorReply(invalid('requests: Field required'), head);
        const batch = await run(exchange, items, answer);
        batches.set(String(batch.wire.id), batch);
        return jsonReply(batch.wire, head);
      }
      if (id === undefined) {
        const data = [...batches.values()].map(({ wire }) => wire).reverse();
        return jsonReply(
          { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null },
          head,
        );
      }
      const batch = batches.get(id);
      if (!batch) return errorReply(failure(404, `Message Batch ${id} not found`), head);
      if (results === undefined) return jsonReply(batch.wire, head);
      return {
        kind: 'text',
        status: 200,
        headers: headersOf(head),
        contentType: 'application/x-jsonl',
        body: batch.results.map((result) => `${JSON.stringify(result)}\n`).join(''),
      };
    },
  };

  async function run(exchange: Exchange, items: readonly Wire[], answer: AnswerItem): Promise<StoredBatch> {
    const label = digest('batch', exchange.body, String(batches.size));
    const id = seeded(seed, label).id('msgbatch_01');
    const results: Wire[] = [];
    for (const [index, item] of items.entries()) {
      const result = await answer(isWire(item.params) ? item.params : {}, `${label} ${index}`);
      results.push({ custom_id: item.custom_id, result });
    }
    const succeeded = results.filter(({ result }) => isWire(result) && result.type === 'succeeded').length;
    const at = new Date(now()).toISOString();
    const wire = {
      id,
      type: 'message_batch',
      processing_status: 'ended',
      request_counts: {
        processing: 0,
        succeeded,
        errored: results.length - succeeded,
        canceled: 0,
        expired: 0,
      },
      created_at: at,
      ended_at: at,
      expires_at: new Date(now() + DAY_MS).toISOString(),
      archived_at: null,
      cancel_initiated_at: null,
      results_url: `http://${exchange.headers.host}/v1/messages/batches/${id}/results`,
    };
    return { wire, results };
  }
}
