import { defer, filter, finalize, from, map, type Observable, tap } from 'rxjs';
import * as E from '../../core/protocol/either.js';
import type { Job } from '../jobs/job-handle.js';
import type { JobLife } from './job-life.js';
import type { PoolContext } from './pool-context.js';
import type { PooledServer } from './pool-server.js';

/** The job on the server. Where the server goes down meanwhile, nothing is sent any more; what may have arrived is looked for by its id. */
export const submitted = (
  context: PoolContext,
  life: JobLife,
  server: PooledServer,
  attempt: number,
): Observable<Job> =>
  defer(() => {
    const { client } = server;
    const { submissionId = context.uuid(), signal, intend, files } = life.options;
    const left = new AbortController();
    const stops = [left.signal, ...(signal === undefined ? [] : [signal])];
    const watch = server.isDown
      .pipe(
        filter((isDown) => isDown),
        tap(() => left.abort()),
      )
      .subscribe();
    const options = { ...life.options, submissionId, signal: AbortSignal.any(stops) };
    const brought = context.files.bring(life.workflow, server, files);
    const submit = async (bringing: typeof brought): ReturnType<ReturnType<typeof client.submit>> => {
      const workflow = await bringing;
      if (workflow !== undefined && E.isLeft(workflow)) return workflow;
      await intend?.({ server: server.name, attempt, submissionIds: client.submissionIds });
      return client.submit(workflow?.right ?? life.workflow, options)();
    };
    /** Brings the files once more to a server that refuses the job for want of them. */
    const submitWithFiles = async (): ReturnType<typeof submit> => {
      const answer = await submit(brought);
      if (E.isRight(answer) || !context.files.forgetRefused(answer.left, life.workflow, server, files))
        return answer;
      const again = await submit(context.files.bring(life.workflow, server, files));
      return E.isLeft(again) && again.left._tag === 'DownloadFailed' ? answer : again;
    };
    const isPrepared = brought === undefined && intend === undefined;
    return from(isPrepared ? client.submit(life.workflow, options)() : submitWithFiles()).pipe(
      map((answer) => {
        if (E.isRight(answer)) return answer.right;
        const mayBeThere = answer.left._tag === 'OutcomeUnknown' && client.submissionIds === 'jobs';
        if (mayBeThere) return client.job(submissionId);
        throw answer.left;
      }),
      tap((job) => took(context, life, server, job)),
      tap(({ promptId }) => {
        const place = { server: server.name, attempt, promptId, submissionIds: client.submissionIds };
        // The job runs whether or not this note can be kept: the former one leads to it.
        void intend?.(place).catch(() => undefined);
      }),
      finalize(() => watch.unsubscribe()),
    );
  });

/** A server has the job. */
export const took = (context: PoolContext, life: JobLife, server: PooledServer, job: Job): void => {
  context.noteJob(job.promptId, server);
  life.accepted.next({ job, server });
  if (life.isCancelled.value) void job.cancel()();
};
