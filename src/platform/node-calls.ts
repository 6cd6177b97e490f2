import { Agent, type Dispatcher, FormData } from 'undici';
import type { FormPart, HttpRequest } from '../socket/platform.js';
import { exchange } from './exchange.js';
import { realClock } from './real-clock.js';
import { recentAgent } from './recent-agent.js';
import type { RequestSender } from './request-sender.js';

/**
 * Sends requests whose answers are read at once and whole, by undici, which follows no redirect.
 *
 * What must not run twice goes over connections that are new or were of use within the last second, see {@link recentAgent}.
 * How long an answer may take is the caller's to say, by `signal`. Idle connections don't keep the process alive.
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
      request.method === 'GET'
        ? exchange(kept, request, optionsOf)
        : exchange(recent.agent(), request, optionsOf, recent.answered),
    close: async () => {
      await Promise.all([kept.destroy(), recent.close()]);
    },
  };
};

const connectTimeoutMs = 10_000;

const optionsOf = ({ method, url, headers, json, form }: HttpRequest): Dispatcher.DispatchOptions => {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: pathname + search,
    method,
    headers: { ...headers },
    body: json ?? (form === undefined ? null : formData(form)),
  };
};

const formData = (parts: readonly FormPart[]): FormData => {
  const form = new FormData();
  for (const part of parts) {
    if ('value' in part) form.append(part.name, part.value);
    else form.append(part.name, part.content, part.filename);
  }
  return form;
};
