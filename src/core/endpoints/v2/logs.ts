import * as E from '../../protocol/either.js';
import type { Endpoint } from '../endpoint.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { jobPath } from './job.js';

/** What a deployment wrote while a job ran. */
export interface JobLogs {
  /** The lines, as one text. */
  readonly text: string;
  /** Whether earlier lines are missing. */
  readonly truncated: boolean;
  /** Whether no more lines will come. */
  readonly complete: boolean;
  /** When it was captured, as the service words it. */
  readonly capturedAt?: string;
}

/** `GET /api/v2/jobs/{id}/logs`: the log of a job; undefined for a 204 (docs/protocol.md, chapter 12.5). */
export const logsEndpoint = (promptId: string): Endpoint<JobLogs | undefined> => ({
  method: 'GET',
  path: `${jobPath(promptId)}/logs`,
  idempotency: 'always',
  promptId,
  read: readLogs,
});

/** Reads the answer of the log; an empty body is no log yet. */
export const readLogs = (json: unknown): E.Either<string, JobLogs | undefined> => {
  if (json === undefined || json === null) return E.right(undefined);
  if (!isJsonObject(json) || typeof json['text'] !== 'string') return E.left('the log has no text');
  const { text, truncated, complete, captured_at: capturedAt } = json;
  return E.right({
    text,
    truncated: truncated === true,
    complete: complete === true,
    ...(typeof capturedAt === 'string' && { capturedAt }),
  });
};
