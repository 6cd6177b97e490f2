import { type Observable, ReplaySubject, Subject } from 'rxjs';
import type { Client } from '../../../src/client-types.js';
import { serviceError } from '../../../src/errors/service-error.js';
import * as E from '../../../src/protocol/either.js';
import type { Frame } from '../../../src/protocol/frames/frame.js';
import type { JobState } from '../../../src/state/job-state.js';

/** A job of the service, whose states the figure makes. */
export interface ScriptedJob {
  readonly promptId: string;
  readonly move: (state: JobState) => void;
  readonly picture: (nodeId: string, image: Uint8Array<ArrayBuffer>) => void;
}

/** A client of a service in memory, and the jobs that it took, in their order. */
export interface ScriptedClient {
  readonly client: Client;
  readonly jobs: readonly ScriptedJob[];
  /** The jobs whose end was asked for. */
  readonly cancelled: readonly string[];
}

/** Makes a client that takes each submission and follows each job for ever; it has what a gateway uses of a client. */
export const scriptedClient = (): ScriptedClient => {
  const followed = new Map<
    string,
    { promptId: string; states: Observable<JobState>; frames: Observable<Frame> }
  >();
  const jobs: ScriptedJob[] = [];
  const cancelled: string[] = [];
  const take = () => {
    const promptId = `p${jobs.length + 1}`;
    const states = new ReplaySubject<JobState>(1);
    const frames = new Subject<Frame>();
    const job = { promptId, states, frames };
    followed.set(promptId, job);
    jobs.push({
      promptId,
      move: (state) => states.next(state),
      picture: (nodeId, image) =>
        frames.next({ _tag: 'Preview', mediaType: 'image/jpeg', image, promptId, nodeId }),
    });
    return job;
  };
  const missing = (promptId: string) => {
    const states = new Subject<JobState>();
    states.error(serviceError('NotFound', { promptId }));
    return { promptId, states, frames: new Subject<Frame>() };
  };
  const client = {
    submissionIds: 'none',
    submit: () => () => Promise.resolve(E.right(take())),
    job: (promptId: string) => followed.get(promptId) ?? missing(promptId),
    cancel: (promptId: string) => () => {
      cancelled.push(promptId);
      return Promise.resolve(E.right(undefined));
    },
    rest: { view: () => () => Promise.resolve(E.left(serviceError('NotFound', {}))) },
  };
  return { client: client as unknown as Client, jobs, cancelled };
};
