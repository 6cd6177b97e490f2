import * as E from '../../protocol/either.js';
import type { Endpoint } from '../endpoint.js';
import { type HistoryRecord, readHistory } from '../history.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { maxOfWorkflows } from '../without-workflow.js';

/** Which records are listed. */
export interface HistoryPage {
  /** The most records, from 1; default all that the engine keeps, which are 10,000 at most. */
  readonly max?: number | undefined;
  /** The position of the first, from 0 for the oldest; default the latest `max`. */
  readonly offset?: number | undefined;
}

/** `GET /api/history`: the records of the jobs that ended, the oldest first (docs/protocol.md, chapter 11). */
export const historyListEndpoint = ({ max, offset }: HistoryPage): Endpoint<readonly HistoryRecord[]> => ({
  method: 'GET',
  path: '/api/history',
  query: {
    // Without a number of items the engine ignores the offset.
    ...((max ?? offset) !== undefined && { max_items: String(max ?? maxKept) }),
    ...(offset !== undefined && { offset: String(offset) }),
  },
  idempotency: 'always',
  maxBytes: maxOfWorkflows,
  keepsNumbers: 'all',
  read: (json, asSent) => readHistoryList(json, asSent),
});

const maxKept = 10_000;

/** Reads each record of the map; one that can't be read is left out. */
export const readHistoryList = (json: unknown, asSent = json): E.Either<string, readonly HistoryRecord[]> => {
  if (!isJsonObject(json)) return E.left('the history is no object');
  return E.right(
    Object.keys(json).flatMap((promptId) => {
      const record = readHistory(json, promptId, asSent);
      return E.isRight(record) ? [record.right] : [];
    }),
  );
};
