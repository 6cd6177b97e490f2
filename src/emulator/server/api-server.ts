import type { EmulatorClock } from '../clock.js';
import { exchange, writeAnswer } from './exchange.js';
import type { ExchangePlan } from '../faults/exchange-plan.js';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Recorder } from './recorder.js';
import type { Backend } from '../backend.js';

/** Options of both origins. */
interface OriginOptions {
  readonly backend: Backend;
  readonly recorder: Recorder;
  readonly clock: EmulatorClock;
  readonly plan: (origin: 'api' | 'storage', method: string, url: URL) => ExchangePlan;
  /** Path below which the API is mounted; empty for none. */
  readonly basePath: string;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The API's origin: records the request and answers it by script, fault or backend. */
export const apiListener =
  (options: OriginOptions): RequestListener =>
  (request, response) => {
    // A client may disconnect at any time.
    answerRequest(options, request, response).catch(() => request.socket.destroy());
  };

const answerRequest = async (
  { backend, recorder, clock, plan, headers, basePath }: OriginOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const keepBody = recorder.record('api', request);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const url = below(basePath, requestUrl(request));
  const method = request.method ?? '';
  const scripted = recorder.take(method, url.pathname);
  if (!scripted) {
    await exchange(request, response, {
      clock,
      plan: plan('api', method, url),
      answer: () => backend.answer(request, url, keepBody),
      notFound: () => backend.notFound(url),
    });
    return;
  }
  if (scripted.afterCommit) await backend.answer(request, url, keepBody);
  if (scripted.cut) request.socket.destroy();
  else writeAnswer(request, response, scripted);
};

/** The storage origin: records the request and answers it by script, fault or backend. */
export const storageListener =
  ({ backend, recorder, clock, plan, headers }: OriginOptions): RequestListener =>
  (request, response) => {
    recorder.record('storage', request);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const url = requestUrl(request);
    const method = request.method ?? '';
    const scripted = recorder.take(method, url.pathname);
    if (scripted?.cut) {
      request.socket.destroy();
    } else if (scripted) {
      writeAnswer(request, response, scripted);
    } else {
      exchange(request, response, {
        clock,
        plan: plan('storage', method, url),
        answer: () => backend.serveFile(request, url),
        notFound: () => ({ status: 404 }),
      }).catch(() => request.socket.destroy());
    }
  };

/** Path and query of a request; an invalid URL counts as `/`. */
export const requestUrl = ({ url = '/' }: Pick<IncomingMessage, 'url'>): URL =>
  URL.canParse(url, ORIGIN) ? new URL(url, ORIGIN) : new URL(ORIGIN);

/** The address as it is below the path of the mount; any other address is `/`, where nothing is. */
export const below = (basePath: string, url: URL): URL => {
  if (basePath === '') return url;
  const isBelow = url.pathname.startsWith(`${basePath}/`);
  return new URL(isBelow ? url.pathname.slice(basePath.length) + url.search : '/', ORIGIN);
};

/** A base for parsing: only path and query are read. */
const ORIGIN = 'http://emulator';
