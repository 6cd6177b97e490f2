import { Agent, type Dispatcher } from 'undici';
import type { HttpRequest } from '../../socket/platform.js';
import { exchange } from './exchange.js';
import { multipart } from './multipart.js';
import { realClock } from '../real-clock.js';
import { recentAgent } from './recent-agent.js';
import type { RequestSender } from './request-sender.js';

/**
 * Sends requests whose answers are read at once and whole, by undici, which follows no redirect.
 *
 * What must not run twice goes over connections that are new or were of use within the last second, see {@link recentAgent};
 * questions join it there, or have connections that are kept for longer.
 * How long an answer may take is the caller's to say, by `whenEnded` or `signal`. Idle connections don't keep the process
 * alive.
 */
export const nodeCalls = (now = realClock.now): RequestSender => {
  const options: Agent.Options = {
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: 64,
  };
  const kept = new Agent(options);
  const recent = recentAgent(options, now);
  return {
    request: (request) =>
      request.method === 'GET' && !recent.isWarm()
        ? exchange(kept, request, optionsOf)
        : exchange(recent.agent(), request, optionsOf, recent.answered),
    close: async () => {
      await Promise.all([kept.destroy(), recent.close()]);
    },
  };
};

const connectTimeoutMs = 10_000;

const optionsOf = ({ method, url, headers, json, form }: HttpRequest): Dispatcher.DispatchOptions => {
  const sent = form === undefined ? undefined : multipart(form);
  const path = url.indexOf('/', url.indexOf('//') + 2);
  return {
    origin: path === -1 ? url : url.slice(0, path),
    path: path === -1 ? '/' : url.slice(path),
    method,
    headers: sent === undefined ? headers : { ...headers, ...sent.headers },
    // undici takes an iterable, which its types leave out here.
    body: json ?? (sent?.body as Dispatcher.DispatchOptions['body']) ?? null,
  };
};
