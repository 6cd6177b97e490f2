import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { World } from '../world.js';
import type { Recorder } from './recorder.js';
import { requestUrl } from './request-url.js';
import { writeAnswer } from './write-answer.js';

/** The API's origin: records the request, looks for a scripted answer, and leaves the rest to the world. */
export const apiListener =
  (world: World, recorder: Recorder): RequestListener =>
  (request, response) => {
    void answerRequest(world, recorder, request, response);
  };

const answerRequest = async (
  world: World,
  recorder: Recorder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const keepBody = recorder.record('api', request);
  const url = requestUrl(request);
  const scripted = recorder.take(request.method ?? '', url.pathname);
  const answer = scripted && !scripted.afterCommit ? undefined : await world.answer(request, url, keepBody);
  if (scripted?.cut) request.socket.destroy();
  else if (scripted) writeAnswer(request, response, scripted);
  else if (answer) writeAnswer(request, response, answer);
};
