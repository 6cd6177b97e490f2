import { serviceOf } from '../../../src/server/gateway/services/service-of.js';
import { aJob, base } from './a-job.js';
import { apiRoutes } from '../../../src/server/gateway/routes/api-routes.js';
import type { Client } from '../../../src/client/client-types.js';
import { describedBy } from '../openapi/described.js';
import { createHandler } from '../../../src/server/gateway/http/handler.js';
import { isTerminal } from '../../../src/core/state/job-state.js';
import { left, right } from '../../../src/core/protocol/either.js';
import type { FileRef } from '../../../src/core/protocol/file-ref.js';
import type {
  GatewayJob,
  GatewayJobs,
  GatewaySubmission,
  SubmitResult,
} from '../../../src/server/gateway/model/gateway-jobs.js';
import type { GatewayTemplates } from '../../../src/server/gateway/templates.js';
import { memoryTemplateStore } from '../../../src/server/gateway/store/memory-template-store.js';
import type { CallerLimits } from '../../../src/server/gateway/options.js';
import { memoryAssetIndex } from '../../../src/server/gateway/store/memory-asset-index.js';
import { descriptions } from '../../../src/server/gateway/routes/descriptions.js';
import { openApiDocument } from '../../../src/server/gateway/openapi/document.js';
import { readableContent } from '../../../src/core/http/view.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** Bytes of a service's file. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** The routes over jobs that a test makes, and over a service that keeps files in memory. */
export const aGateway = ({
  jobs = [],
  submitted = (submission) => ({
    _tag: 'accepted',
    job: aJob({ workflow: submission.workflow }),
    replayed: false,
  }),
  templates = {},
  service = {},
  limits,
}: {
  readonly jobs?: readonly GatewayJob[];
  readonly submitted?: (submission: GatewaySubmission) => SubmitResult;
  readonly templates?: GatewayTemplates;
  readonly limits?: Partial<CallerLimits>;
  /** What the client of the service does besides files. */
  readonly service?: {
    readonly objectInfo?: Client['rest']['objectInfo'];
    readonly preflight?: Client['preflight'];
  };
} = {}) => {
  const clock = virtualClock();
  const stored = new Map<string, Blob>();
  const submissions: GatewaySubmission[] = [];
  let discarded = 0;
  let pulled = 0;
  const view =
    ({ filename }: FileRef) =>
    async () => {
      const file = stored.get(filename);
      if (file === undefined) {
        return left(
          serviceError('DownloadFailed', { filename, reason: 'it is gone', retry: 'never', status: 404 }),
        );
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      const body = async function* () {
        for (let at = 0; at < bytes.length; at += 4) {
          pulled += 1;
          yield await Promise.resolve(bytes.subarray(at, at + 4));
        }
      };
      return right(
        readableContent({
          mediaType: 'text/html',
          size: bytes.length,
          etag: '"tag"',
          body: body(),
          discard: () => (discarded += 1),
        }),
      );
    };
  const own = ({ name }: { readonly name: string }) => jobs.filter(({ record }) => record.owner === name);
  const gatewayJobs: GatewayJobs = {
    submit: (_, submission) => {
      submissions.push(submission);
      return Promise.resolve(submitted(submission));
    },
    get: (caller, id) => Promise.resolve(own(caller).find(({ record }) => record.id === id)),
    list: (caller, { phase }) =>
      Promise.resolve({ jobs: own(caller).filter(({ state }) => phase?.includes(state.phase) ?? true) }),
    ended: (job) => Promise.resolve(job),
    cancel: (caller, id) => {
      const job = own(caller).find(({ record }) => record.id === id);
      return Promise.resolve(job && { _tag: 'taken', job, requested: false });
    },
    delete: (caller, id) => {
      const job = own(caller).find(({ record }) => record.id === id);
      const isOver = job !== undefined && isTerminal(job.state.phase);
      return Promise.resolve(job && (isOver ? { _tag: 'deleted', files: 'kept' } : { _tag: 'running' }));
    },
    image: () => Promise.resolve(undefined),
    stream: ({ jobId }) =>
      Promise.resolve(
        jobId === 'unknown'
          ? undefined
          : (new Blob(['{"id":"1","event":"gap","data":{}}\n']).stream() as ReadableStream<Uint8Array>),
      ),
    preview: (_, id, nodeId = '') =>
      Promise.resolve(
        nodeId === '3' ? { id, nodeId, mediaType: 'image/jpeg', bytes: new Uint8Array([1, 2]) } : undefined,
      ),
    view: (_, file) => view(file),
    close: () => Promise.resolve(),
  };
  const client = {
    preflight: service.preflight,
    rest: {
      objectInfo: service.objectInfo,
      view,
      uploadImage:
        ({ content, filename }: { readonly content: Blob; readonly filename: string }) =>
        () => {
          stored.set(filename, content);
          return Promise.resolve(right({ name: filename, subfolder: '', type: 'input' }));
        },
      uploadMask:
        ({ filename }: { readonly filename: string }, { filename: original }: FileRef) =>
        () => {
          stored.set(filename, new Blob([`mask of ${original}`]));
          return Promise.resolve(right({ name: filename, subfolder: '', type: 'input' }));
        },
    },
  } as unknown as Client;
  const routes = apiRoutes({
    ...{ jobs: gatewayJobs, services: { default: serviceOf(client, clock) }, templates, limits },
    templateStore: memoryTemplateStore(),
    assets: memoryAssetIndex({ now: clock.now }),
    now: clock.now,
    clock,
  });
  const check = describedBy(openApiDocument(routes, descriptions, base));
  const fetch = createHandler({
    routes,
    authorize: (request) => ({ name: request.headers.get('authorization') ?? 'someone' }),
    tokens: undefined as never,
    clock,
  });
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(new Request(`${base}${path}`, { method, ...init }));
    const text = await response.clone().text();
    const contentType = response.headers.get('content-type');
    const undescribed = check(method, new URL(`${base}${path}`).pathname, {
      ...{ status: response.status, contentType, text },
    });
    if (undescribed !== undefined) throw new Error(`The description lacks ${undescribed}`);
    const json = () => JSON.parse(text) as Record<string, unknown>;
    return { response, status: response.status, headers: response.headers, text, json };
  };
  return { ask, fetch, stored, submissions, clock, discarded: () => discarded, pulled: () => pulled };
};

/** The options of a request with a JSON body. */
export const withJson = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});
