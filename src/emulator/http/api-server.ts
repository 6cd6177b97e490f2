import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Service } from '../service.js';
import { refusal, type Answer } from './answer.js';
import { BodyTooLarge, readBody, type ApiRequest } from './api-request.js';
import { door } from './door.js';
import type { Recorder } from './recorder.js';
import { requestUrl } from './request-url.js';
import { matchRoute, type RouteMatch } from './routes.js';
import { writeAnswer } from './write-answer.js';

/** The API's origin: records the request, finds its route, looks at the key, answers. */
export const apiListener =
  (service: Service, recorder: Recorder): RequestListener =>
  (request, response) => {
    void answerRequest(service, recorder, request, response);
  };

const answerRequest = async (
  service: Service,
  recorder: Recorder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const keepBody = recorder.record('api', request);
  const url = requestUrl(request);
  const scripted = recorder.take(request.method ?? '', url.pathname);
  const answer = scripted && !scripted.afterCommit ? undefined : await route(service, request, url, keepBody);
  if (scripted?.cut) request.socket.destroy();
  else if (scripted) writeAnswer(request, response, scripted);
  else if (answer) writeAnswer(request, response, answer);
};

const route = async (
  service: Service,
  request: IncomingMessage,
  url: URL,
  keepBody: (body: string) => void,
): Promise<Answer> => {
  const match = matchRoute(request.method ?? '', url.pathname, service.settings.has);
  if (!match) return refusal(404, 'NOT_FOUND', `There is no ${url.pathname} here.`);
  if (match === 'other method')
    return refusal(405, 'METHOD_NOT_ALLOWED', `${url.pathname} takes another method.`);
  const account = door(service, header(request, 'x-api-key'));
  if ('status' in account) return account;
  try {
    return await match.route.handle(apiRequest(service, account, request, url, match, keepBody));
  } catch (error) {
    if (error instanceof BodyTooLarge) return refusal(413, 'REQUEST_TOO_LARGE', error.message);
    return refusal(500, 'INTERNAL_ERROR', error instanceof Error ? error.message : String(error));
  }
};

const apiRequest = (
  service: Service,
  account: ApiRequest['account'],
  request: IncomingMessage,
  url: URL,
  { params }: RouteMatch,
  keepBody: (body: string) => void,
): ApiRequest => ({
  service,
  account,
  params,
  query: url.searchParams,
  contentType: header(request, 'content-type') ?? '',
  body: (limit) => readBody(request, limit),
  text: async () => {
    const limit = service.settings.switches.maxPromptBytes;
    const body = await readBody(request, limit);
    if (body === 'too large') throw new BodyTooLarge(`The body is larger than ${limit} bytes.`);
    const text = body.toString('utf8');
    keepBody(text);
    return text;
  },
});

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};
