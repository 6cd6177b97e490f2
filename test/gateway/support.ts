import { ReplaySubject, Subject } from 'rxjs';
import { createJobs, type JobsOptions } from '../../src/server/gateway/jobs/create-jobs.js';
import type { Client } from '../../src/client/client-types.js';
import * as E from '../../src/core/protocol/either.js';
import type { EventLog } from '../../src/server/joblog/event-log.js';
import type { Frame, Preview } from '../../src/core/protocol/frames/frame.js';
import type { GatewayJobs, StreamForm, StreamStart } from '../../src/server/gateway/model/gateway-jobs.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobIndex } from '../../src/server/joblog/job-index.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { memoryEventLog } from '../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../src/server/gateway/store/memory-job-index.js';
import type { RecentJob } from '../../src/core/endpoints/recent-jobs.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import type { Upstream, UpstreamJob } from '../../src/server/gateway/upstream/upstream.js';
import { uuid } from '../../src/core/platform/uuid.js';
import { v2Documents } from '../../src/server/gateway/v2/v2-events.js';
import { virtualClock, type VirtualClock } from '../../src/testing/virtual-clock.js';

export const workflow = {
  1: { class_type: 'Load', inputs: {} },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
};

/** A job of the fake service, whose states the test makes. */
export interface PlayedJob {
  readonly promptId: string;
  readonly move: (state: JobState) => void;
  readonly fail: (error: unknown) => void;
  readonly frame: (frame: Frame) => void;
}

/** A service in memory that takes everything, unless it is told to refuse. */
export interface PlayedService extends Upstream {
  readonly jobs: PlayedJob[];
  readonly submitted: { readonly submissionId: string | undefined; readonly extraData: unknown }[];
  readonly cancelled: string[];
  refusal: ServiceError | undefined;
  /** The service's own list of its jobs; undefined while it does not answer. */
  listed: readonly RecentJob[] | undefined;
  /** The service has a job whose answer got lost. */
  readonly arrive: (promptId: string) => void;
  /** What the submissions wait for. */
  gate: Promise<void>;
}

export const playedService = (submissionIds: Upstream['submissionIds'] = 'none'): PlayedService => {
  const known = new Map<string, UpstreamJob>();
  const add = (promptId: string): UpstreamJob => {
    const states = new ReplaySubject<JobState>(1);
    const frames = new Subject<Frame>();
    const job = { promptId, states, frames };
    known.set(promptId, job);
    service.jobs.push({
      promptId,
      move: (state) => states.next(state),
      fail: (error) => states.error(error),
      frame: (frame) => frames.next(frame),
    });
    return job;
  };
  const missing = (promptId: string): UpstreamJob => {
    const states = new ReplaySubject<JobState>(1);
    states.error(serviceError('NotFound', { promptId }));
    return { promptId, states, frames: new Subject() };
  };
  const service: PlayedService = {
    jobs: [],
    submitted: [],
    cancelled: [],
    refusal: undefined,
    listed: [],
    arrive: (promptId) => void add(promptId),
    gate: Promise.resolve(),
    submissionIds,
    submit:
      (_, { submissionId, extraData }) =>
      async () => {
        service.submitted.push({ submissionId, extraData });
        await service.gate;
        if (service.refusal !== undefined) return E.left(service.refusal);
        return E.right(add(submissionIds === 'jobs' ? submissionId! : `p${service.submitted.length}`));
      },
    job: (promptId) => known.get(promptId) ?? missing(promptId),
    cancel: (promptId) => () => {
      service.cancelled.push(promptId);
      return Promise.resolve(E.right(undefined));
    },
    jobsSince: async ({ unclaimed }) => {
      const { listed } = service;
      const free = await unclaimed(listed?.map(({ promptId }) => promptId) ?? []);
      return listed?.filter(({ promptId }) => free.includes(promptId));
    },
    view: () => () => Promise.resolve(E.left(serviceError('NotFound', {}))),
  };
  return service;
};

/** A client of a played service; it has what a gateway uses of a client. */
export const clientOf = ({ submissionIds, submit, job, cancel, view }: PlayedService): Client =>
  ({ submissionIds, submit, job, cancel, rest: { view } }) as unknown as Client;

/** A preview of so many bytes from a node of a job. */
export const previewOf = (
  { promptId }: Pick<PlayedJob, 'promptId'>,
  nodeId: string,
  size: number,
): Preview => ({
  ...{ _tag: 'Preview', promptId, nodeId, mediaType: 'image/jpeg' },
  image: new Uint8Array(size),
});

/** The jobs of a gateway over a played service. */
export interface PlayedGateway {
  readonly jobs: GatewayJobs;
  readonly service: PlayedService;
  readonly clock: VirtualClock;
  readonly index: JobIndex;
  readonly log: EventLog;
}

export const playedGateway = async (
  options: Partial<JobsOptions> = {},
  service = playedService(),
): Promise<PlayedGateway> => {
  const clock = virtualClock();
  const index = options.index ?? memoryJobIndex();
  const log = options.log ?? memoryEventLog();
  const jobs = await createJobs({
    clock,
    uuid,
    index,
    log,
    upstreams: { default: service },
    v2: v2Documents,
    ...options,
  });
  return { jobs, service, clock, index, log };
};

export const alice = { name: 'alice' };
export const bob = { name: 'bob' };

/** Submits, and throws unless there is a job. */
export const submitted = async ({ jobs }: Pick<PlayedGateway, 'jobs'>, owner = alice) => {
  const answer = await jobs.submit(owner, { workflow });
  if (answer._tag !== 'accepted') throw new Error(answer._tag);
  return answer.job;
};

/** A life in states: it runs, makes pictures one after the other and ends. */
export const life = (promptId: string, pictures = 2): readonly JobState[] => {
  const pending = initialJobState({ promptId, workflow });
  const running: JobState = { ...pending, phase: 'in_progress', startedAt: 10 };
  const states: JobState[] = [pending, running];
  for (let count = 1; count <= pictures; count += 1) {
    const node = { nodeId: '2', displayNodeId: '2', phase: 'running' as const, max: pictures };
    const images = Array.from({ length: count }, (_, index) => [`${index}a.png`, `${index}b.png`])
      .flat()
      .map((filename) => ({ filename, subfolder: '', type: 'output' }));
    const fraction = count / (pictures + 1);
    states.push({
      ...running,
      nodes: { 2: { ...node, value: count, fraction } },
      progress: fraction / 2,
      outputs: states.at(-1)!.outputs,
    });
    states.push({ ...states.at(-1)!, outputs: { 2: { images } } });
  }
  states.push({ ...states.at(-1)!, phase: 'completed', progress: 1, outputsComplete: true, endedAt: 20 });
  return states;
};

/** One event as a reader gets it. */
export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads a stream event by event. */
export interface EventReader {
  /** The next event; undefined at the end. */
  readonly next: () => Promise<ReadEvent | undefined>;
  readonly rest: () => Promise<readonly ReadEvent[]>;
  readonly cut: () => Promise<void>;
}

export const readerOf = (stream: ReadableStream<Uint8Array>, format: StreamForm['format']): EventReader => {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const separator = format === 'sse' ? '\n\n' : '\n';
  const next = async (): Promise<ReadEvent | undefined> => {
    for (;;) {
      const end = text.indexOf(separator);
      if (end !== -1) {
        const one = text.slice(0, end);
        text = text.slice(end + separator.length);
        if (one === '' || one.startsWith(':')) continue;
        return format === 'sse' ? sseEvent(one) : (JSON.parse(one) as ReadEvent);
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  };
  return {
    next,
    rest: async () => {
      const all: ReadEvent[] = [];
      for (let one = await next(); one !== undefined; one = await next()) all.push(one);
      return all;
    },
    cut: () => reader.cancel(),
  };
};

const sseEvent = (text: string): ReadEvent => {
  const fields = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  return {
    id: fields.get('id') ?? '',
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null') as Record<string, unknown>,
  };
};

/** Opens a stream that is not over before it begins. */
export const opened = async (
  { jobs }: Pick<PlayedGateway, 'jobs'>,
  ...[scope, form, start, ends]: Parameters<GatewayJobs['stream']>
): Promise<ReadableStream<Uint8Array>> => {
  const stream = await jobs.stream(scope, form, start, ends);
  if (!(stream instanceof ReadableStream)) throw new Error(stream ?? 'the job is unknown');
  return stream;
};

export const openReader = async (
  { jobs }: Pick<PlayedGateway, 'jobs'>,
  scope: { readonly owner: string; readonly jobId?: string },
  start: StreamStart = {},
  form: Partial<StreamForm> = {},
): Promise<EventReader> => {
  const whole: StreamForm = { view: 'native', format: 'sse', base: 'http://gateway.test', ...form };
  const stream = await jobs.stream(scope, whole, start);
  if (stream === undefined) throw new Error('the job is unknown');
  return readerOf(stream === 'over' ? new Blob().stream() : stream, whole.format);
};
