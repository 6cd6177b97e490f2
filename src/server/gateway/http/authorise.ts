import type { Authorize, Caller } from '../options.js';
import { HttpRefusal } from './refusal.js';
import type { Route } from './route.js';
import type { WatchTokens } from './watch-tokens.js';

/** Names the caller of a request to a route, or gives the answer that `authorize` chose; rejects with a 401. */
export const authoriseWith =
  (authorize: Authorize, tokens: WatchTokens) =>
  async ({ access }: Route, { request, ticket, jobId }: Credentials): Promise<Caller | Response> => {
    if (access === 'open') return nameless;
    if (access !== 'caller' && ticket !== undefined) {
      const claim = await tokens.read(ticket);
      const isOfJob = claim?.jobId === undefined || claim.jobId === jobId;
      const isOfRoute = claim?.only === undefined || access === 'preview';
      if (claim !== undefined && isOfJob && isOfRoute) return claim.caller;
      throw unauthorized('The watch token is not valid here, or has expired.');
    }
    const caller = await authorize(request);
    if (caller === undefined) throw unauthorized('A valid token is needed.');
    return caller;
  };

/** What a request says about its caller. */
interface Credentials {
  readonly request: Request;
  /** The watch token of the address. */
  readonly ticket: string | undefined;
  /** The job that the address is of. */
  readonly jobId: string | undefined;
}

const nameless: Caller = { name: '' };

const unauthorized = (message: string): HttpRefusal =>
  new HttpRefusal({
    status: 401,
    code: 'unauthorized',
    message,
    headers: { 'www-authenticate': 'Bearer' },
  });
