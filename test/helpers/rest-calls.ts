import type { HttpConnection } from '../../src/core/http/connection.js';
import { createRest } from '../../src/core/http/rest.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';
import type { HttpRequest } from '../../src/core/platform/platform.js';
import { type FakeAnswer, fakePlatform } from './fake-platform.js';
import { httpConnection } from './http-connection.js';

/** All calls over a fake service, and what it was asked. */
export const setUpRest = (
  answer: (request: HttpRequest) => FakeAnswer,
  more: Partial<HttpConnection> = {},
) => {
  const platform = fakePlatform(answer);
  const rest = createRest(httpConnection(platform, more));
  const asked = (): readonly string[] =>
    platform.requests.map(({ method, url }) => `${method} ${url.replace('http://127.0.0.1:9', '')}`);
  return { platform, rest, asked, requests: platform.requests };
};

/** What a request sent. */
export const jsonOf = (request: HttpRequest | undefined): unknown => JSON.parse(request?.json ?? 'null');

/** The least that can be submitted, and its answer. */
export const workflow: Workflow = { '9': { class_type: 'SaveImage', inputs: { images: ['8', 0] } } };
export const accepted = { prompt_id: 'p-1', number: 4, node_errors: {} };
