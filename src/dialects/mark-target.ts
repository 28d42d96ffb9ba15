import type { RequestMark } from '../continuity/answer.ts';
import type { ApiName } from './dialect.ts';

/** What a request says of where it goes. */
interface Target {
  readonly requestModel: string;
  readonly model: { readonly id: string; readonly vendor: RequestMark['vendor'] };
  readonly endpoint?: string | undefined;
  readonly leg?: string | undefined;
  readonly account?: string | undefined;
  readonly key?: string | undefined;
}

/** The part of a request's mark that all APIs have alike. */
export const markTarget = (api: ApiName, { requestModel, model, endpoint, leg, account, key }: Target) => ({
  api,
  requestModel,
  model: model.id,
  vendor: model.vendor,
  ...(endpoint !== undefined && { endpoint }),
  ...(leg !== undefined && { leg }),
  ...(account !== undefined && { account }),
  ...(key !== undefined && { key }),
});
