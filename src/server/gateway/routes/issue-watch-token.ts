import type { Caller } from '../options.js';
import { HttpRefusal, type Refusal } from '../http/refusal.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { json } from '../http/respond.js';
import { longestTokenMs, type WatchTokens } from '../http/watch-tokens.js';
import type { RouteCall } from '../http/route.js';
import { answers, type Operations, takes } from '../openapi/operation.js';
import { ticketSeconds, watchToken, watchTokenRequest } from '../contract/requests.js';

/**
 * Takes `{ "job": "…", "seconds": 60 }`, both optional, and gives `{ "ticket", "expires_at" }`: for that job, or without `job` for all
 * jobs of the caller.
 */
export const issueWatchToken =
  (tokens: WatchTokens, hasJob: (caller: Caller, id: string) => Promise<boolean>) =>
  async ({ body, caller, json: read }: RouteCall): Promise<Response | Refusal> => {
    const { job, seconds } = readRequest(body === null ? {} : await read());
    if (job !== undefined && !(await hasJob(caller, job))) return unknownJob;
    const forMs = seconds === undefined ? undefined : seconds * 1000;
    const { ticket, expiresAt } = await tokens.issue({ caller, jobId: job }, forMs);
    return json({ ticket, expires_at: new Date(expiresAt).toISOString() }, 201);
  };

const readRequest = (body: unknown): { readonly job?: string; readonly seconds?: number } => {
  if (!isJsonObject(body)) throw wrong('The body is no JSON object.');
  const { job, seconds } = body;
  if (job !== undefined && typeof job !== 'string') throw wrong('`job` is no text.');
  if (seconds === undefined) return job === undefined ? {} : { job };
  if (!ticketSeconds.is(seconds)) {
    throw wrong(`\`seconds\` is more than 0 and at most ${longestTokenMs / 1000}.`);
  }
  return { seconds, ...(job === undefined ? {} : { job }) };
};

const wrong = (message: string): HttpRefusal =>
  new HttpRefusal({ status: 422, code: 'invalid_request', message });

const unknownJob: Refusal = { status: 404, code: 'job_not_found', message: 'There is no such job.' };

/** What OpenAPI tells of this operation. */
export const watchTokenDescriptions: Operations = {
  'POST /watch-tokens': {
    ...{ id: 'issueWatchToken', tag: 'Tickets', summary: 'Get a ticket for `EventSource` and `<img>`' },
    body: takes(watchTokenRequest, false),
    answers: { 201: answers('The ticket, for the parameter `ticket`.', watchToken) },
    refusals: [404, 422],
  },
};
