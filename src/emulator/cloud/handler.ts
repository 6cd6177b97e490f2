import type { Account, Service } from './cloud-service.js';
import type { Answer } from '../http/answer.js';
import type { RequestParts } from '../http/request.js';

/** An authenticated request: its key belongs to `account`. */
export interface ApiRequest extends RequestParts {
  readonly service: Service;
  readonly account: Account;
}

/** One endpoint. */
export type Handler = (request: ApiRequest) => Answer | Promise<Answer>;
