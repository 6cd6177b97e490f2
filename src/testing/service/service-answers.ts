import type { HttpRequest } from '../../core/platform/platform.js';
import type { Answer } from './scripted-requests.js';
import { jobFrames } from '../job-frames.js';
import { mediaTypeOfName } from '../../core/protocol/media-type.js';
import { parseExactJson } from '../../core/protocol/json/exact-json.js';
import type { LiveJob, ScriptedJobs } from './scripted-jobs.js';
import type { ServiceRoute } from './faults.js';

/** The jobs, classes and files of a scripted service. */
export interface ServiceAnswersOptions {
  readonly isLocal: boolean;
  readonly apiKey: string | undefined;
  readonly jobs: ScriptedJobs;
  readonly objectInfo: unknown;
  /** The bytes of a file by its name; undefined if there is no such file. */
  readonly fileOf: (filename: string) => Uint8Array | undefined;
  /** Keeps an uploaded file. */
  readonly keep: (filename: string, bytes: Uint8Array) => void;
}

/** Which request it is, by method and path (docs/protocol.md, chapter 2). */
export const routeOf = (method: string, url: URL): ServiceRoute => {
  if (url.host === storageHost) return 'file';
  const key = `${method} ${url.pathname.replace(/^.*\/api\//u, '/api/')}`;
  return routes.find(([pattern]) => pattern.test(key))?.[1] ?? 'other';
};

const routes: readonly (readonly [RegExp, ServiceRoute])[] = [
  [/^POST \/api\/prompt$/u, 'submit'],
  [/^GET \/api\/job\/[^/]+\/status$/u, 'status'],
  [/^GET \/api\/history(?:_v2)?\/[^/]+$/u, 'history'],
  [/^GET \/api\/queue$/u, 'queue'],
  [/^POST \/api\/queue$/u, 'cancel'],
  [/^POST \/api\/interrupt$/u, 'interrupt'],
  [/^GET \/api\/view$/u, 'view'],
  [/^POST \/api\/upload\/(?:image|mask)$/u, 'upload'],
  [/^GET \/api\/user$/u, 'user'],
  [/^GET \/api\/object_info(?:\/|$)/u, 'object_info'],
];

/** Where a cloud service keeps its files: the address that a view redirects to. */
export const storageHost = 'storage.test';

/** Makes the service's answers, which do what is asked (docs/protocol.md, chapters 2, 3 and 11). */
export const serviceAnswers = ({
  isLocal,
  apiKey,
  jobs,
  objectInfo,
  fileOf,
  keep,
}: ServiceAnswersOptions): ((route: ServiceRoute, request: HttpRequest) => Promise<Answer>) => {
  const jobOf = ({ pathname }: URL): LiveJob | undefined =>
    jobs.find(decodeURIComponent(/\/api\/[^/]+\/([^/]+)/u.exec(pathname)?.[1] ?? ''));

  return async (route, request) => {
    const url = new URL(request.url);
    if (route !== 'file' && !isLocal && request.headers['x-api-key'] !== apiKey) return unauthorized;
    if (isLocal && (route === 'user' || route === 'status')) return notFound;
    const json =
      request.json === undefined ? {} : (parseExactJson(request.json) as Readonly<Record<string, unknown>>);
    switch (route) {
      case 'submit': {
        const { promptId, index } = jobs.accept(json);
        return ok({ prompt_id: promptId, number: index + 1, node_errors: {} });
      }
      case 'status':
        return statusAnswer(jobOf(url));
      case 'history':
        return isLocal !== url.pathname.includes('_v2') ? historyAnswer(jobOf(url), isLocal) : notFound;
      case 'queue':
        return ok(queueOf(jobs.all, isLocal));
      case 'cancel':
        return cancelAnswer(jobs, json, isLocal);
      case 'interrupt':
        for (const job of jobs.all) {
          const isMeant = json['prompt_id'] === undefined || json['prompt_id'] === job.promptId;
          if (isMeant && job.phase === 'in_progress') job.cancel();
        }
        return ok();
      case 'view':
        return viewAnswer(url, isLocal, fileOf);
      case 'file':
        return fileAnswer(url.searchParams.get('name') ?? '', fileOf);
      case 'upload':
        return uploadAnswer(request, keep);
      case 'user':
        return ok({ status: 'active' });
      case 'object_info':
        return ok(objectInfo);
      case 'other':
        return notFound;
    }
  };
};

const ok = (body?: unknown): Answer => ({ status: 200, body });
const notFound: Answer = { status: 404, body: { code: 'NOT_FOUND', message: 'there is no such thing' } };
const unauthorized: Answer = { status: 401, body: { code: 'UNAUTHORIZED', message: 'the key is unknown' } };

const statusAnswer = (job: LiveJob | undefined): Answer => {
  if (job === undefined || job.phase === 'lost') return notFound;
  const { promptId, phase, failure } = job;
  const error =
    failure === undefined ? {} : { error_message: JSON.stringify(jobFrames(promptId).error(failure).data) };
  return ok({ id: promptId, status: phase, ...error });
};

const historyAnswer = (job: LiveJob | undefined, isLocal: boolean): Answer => {
  if (job?.hasRecord() !== true) return isLocal ? ok({}) : notFound;
  const { promptId, workflow, outputs, phase, failure, index, submitted } = job;
  const { start, success, interrupted, error } = jobFrames(promptId);
  const end = phase === 'completed' ? success : phase === 'failed' ? error(failure) : interrupted;
  const record = {
    outputs,
    status: {
      status_str: phase === 'completed' ? 'success' : 'error',
      completed: phase === 'completed',
      messages: [start, end].map(({ type, data }) => [type, data]),
    },
    prompt: isLocal
      ? [index, promptId, workflow, submitted['extra_data'] ?? {}, []]
      : { prompt_id: promptId, prompt: workflow },
  };
  return ok(isLocal ? { [promptId]: record } : record);
};

const queueOf = (all: readonly LiveJob[], isLocal: boolean): object => {
  const listed = (wanted: LiveJob['phase']): readonly unknown[] =>
    all
      .filter(({ phase }) => phase === wanted)
      .map(({ index, promptId, workflow }) =>
        isLocal ? [index, promptId, workflow, {}, []] : [index, promptId, workflow, [], { create_time: 0 }],
      );
  return { queue_running: listed('in_progress'), queue_pending: listed('pending') };
};

const cancelAnswer = (
  jobs: ScriptedJobs,
  { delete: ids }: Readonly<Record<string, unknown>>,
  isLocal: boolean,
): Answer => {
  const named = jobs.all.filter(
    ({ promptId, phase }) =>
      Array.isArray(ids) &&
      ids.includes(promptId) &&
      (phase === 'pending' || (!isLocal && phase === 'in_progress')),
  );
  for (const job of named) job.cancel();
  return isLocal ? ok() : ok({ deleted: named.map(({ promptId }) => promptId), cleared: false });
};

const viewAnswer = (url: URL, isLocal: boolean, fileOf: ServiceAnswersOptions['fileOf']): Answer => {
  const name = url.searchParams.get('filename') ?? '';
  if (isLocal || fileOf(name) === undefined) return fileAnswer(name, fileOf);
  const location = `https://${storageHost}/file?${new URLSearchParams({ name, 'X-Goog-Signature': 'scripted' }).toString()}`;
  return { status: 302, headers: { location } };
};

const fileAnswer = (name: string, fileOf: ServiceAnswersOptions['fileOf']): Answer => {
  const bytes = fileOf(name);
  if (bytes === undefined) return notFound;
  const type = mediaTypeOfName(name);
  return { ...ok(bytes), ...(type !== undefined && { headers: { 'content-type': type } }) };
};

const uploadAnswer = async (
  { form = [] }: HttpRequest,
  keep: ServiceAnswersOptions['keep'],
): Promise<Answer> => {
  const file = form.find((part) => 'content' in part && part.name === 'image');
  if (file === undefined || !('content' in file)) {
    return { status: 400, body: { code: 'BAD_REQUEST', message: 'the form has no image' } };
  }
  keep(file.filename, new Uint8Array(await file.content.arrayBuffer()));
  return ok({ name: file.filename, subfolder: '', type: 'input' });
};
