import type { RequestListener } from 'node:http';
import type { World } from '../world.js';
import type { Recorder } from './recorder.js';
import { requestUrl } from './request-url.js';
import { writeAnswer } from './write-answer.js';

/** The second origin: records the request, looks for a scripted answer, and leaves the rest to the world. */
export const storageListener =
  (world: World, recorder: Recorder): RequestListener =>
  (request, response) => {
    recorder.record('storage', request);
    const url = requestUrl(request);
    const scripted = recorder.take(request.method ?? '', url.pathname);
    if (scripted?.cut) request.socket.destroy();
    else writeAnswer(request, response, scripted ?? world.serve(request, url));
  };
