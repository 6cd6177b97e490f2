import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { createWorker } from '../../../src/server/queue/worker/create-worker.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobPhase, ServiceError, SubmissionIds } from 'promptwire';
import { NEVER, of, ReplaySubject } from 'rxjs';
import { onTestFinished } from 'vitest';
import type { QueueWorkerOptions } from '../../../src/server/queue/options.js';
import type { RedisServer } from '../../helpers/redis-server.js';

let names = 0;

/** A service in memory: it takes what it is sent, unless `refusal` says why not, and the test moves its jobs. */
export const playedClient = (submissionIds: SubmissionIds = 'jobs') => {
  const jobs = new Map<string, ReplaySubject<ReturnType<typeof initialJobState>>>();
  const statesOf = (promptId: string) => {
    const known = jobs.get(promptId) ?? new ReplaySubject(1);
    jobs.set(promptId, known);
    return known;
  };
  const service = {
    calls: [] as string[],
    submitted: [] as { readonly promptId: string; readonly timeoutMs: number }[],
    refusal: undefined as ServiceError | undefined,
    move: (promptId: string, phase: JobPhase): void =>
      statesOf(promptId).next(initialJobState({ workflow: {}, promptId, phase })),
  };
  const client = {
    submissionIds,
    connection: of({ _tag: 'closed' }),
    rest: {
      submit: (_: unknown, options: { readonly submissionId: string; readonly timeoutMs: number }) => {
        service.calls.push('submit');
        if (service.refusal !== undefined) return TE.left(service.refusal);
        const promptId = options.submissionId;
        service.submitted.push({ promptId, timeoutMs: options.timeoutMs });
        return TE.right({ promptId });
      },
      jobStatus: () => TE.right({}),
      objectInfo: ({ nodeClass }: { readonly nodeClass: string }) =>
        TE.right(nodeClass === 'SaveImage' ? { SaveImage: { input: {}, output: [] } } : {}),
      nodeReplacements: () => TE.right({}),
      queue: () => {
        service.calls.push('queue');
        return TE.right({ running: [], pending: [] });
      },
    },
    follow: (promptId: string) => {
      service.calls.push(`follow ${promptId}`);
      return statesOf(promptId);
    },
    job: () => ({ frames: NEVER }),
    cancel: (promptId: string) => () => {
      service.calls.push(`cancel ${promptId}`);
      service.move(promptId, 'cancelled');
      return Promise.resolve(E.right(undefined));
    },
    resume: () => void service.calls.push('resume'),
  } as unknown as QueueWorkerOptions['client'];
  return { service, client };
};

/** A queue on the server, and workers for it. */
export const aQueue = (server: RedisServer) => {
  const account = {
    ...{ connection: `redis://127.0.0.1:${server.port}`, name: `worker-${(names += 1)}` },
    onWarning: () => undefined,
  };
  const queue = createJobQueue(account);
  onTestFinished(() => queue.close());
  const work = (client: QueueWorkerOptions['client'], more: Partial<QueueWorkerOptions> = {}) => {
    const worker = createWorker({ ...account, client, lockMs: 800, ...more });
    onTestFinished(() => worker.close());
    return worker;
  };
  const phaseOf = async (id: string) => {
    for await (const job of queue.list()) if (job.id === id) return job.phase;
    return undefined;
  };
  return { account, queue, work, phaseOf };
};
