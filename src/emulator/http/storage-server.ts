import type { RequestListener } from 'node:http';
import type { OriginOptions } from './api-server.js';
import { exchange } from './exchange.js';
import { requestUrl } from './request-url.js';
import { writeAnswer } from './write-answer.js';

/** The second origin: records the request, looks for a scripted answer or a fault, and leaves the rest to the world. */
export const storageListener =
  ({ world, recorder, clock, plan, headers }: OriginOptions): RequestListener =>
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
        answer: () => world.serve(request, url),
        missing: () => ({ status: 404 }),
      }).catch(() => request.socket.destroy());
    }
  };
