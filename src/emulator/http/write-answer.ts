import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer.js';

/** Sends an answer after what is left of the request was read, so that no client sees a broken upload instead. */
export const writeAnswer = (request: IncomingMessage, response: ServerResponse, answer: Answer): void => {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? Buffer.alloc(0));
  const send = (): void => {
    response.writeHead(answer.status, { 'content-length': String(body.length), ...answer.headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  if (request.complete || request.destroyed) {
    send();
    return;
  }
  request.once('end', send);
  request.resume();
};
