import type { AtServer } from '../run-context.js';
import type { BringFiles, forgetRefusedFiles } from './bring-files.js';
import type { Client } from '../../../../client/client-types.js';
import type { Clock } from '../../../../core/platform/platform.js';
import { initialJobState } from '../../../../core/state/initial-job-state.js';
import { isAllCached } from '../../../../core/state/is-all-cached.js';
import { concatMap } from 'rxjs';
import type { JobState } from '../../../../core/state/job-state.js';
import { largerThan } from '../../servers/larger-servers.js';
import { ranOutOfMemory } from '../../../../core/state/ran-out-of-memory.js';
import type { PlacedJob, ServerStore } from '../../servers/server-store.js';
import { progressOf, statusOf } from '../../../../core/events/state-members.js';
import type { ReachedServers } from './reached-servers.js';
import { readAskedWork } from '../../servers/asked-work.js';
import { rerunsLost } from './reached-servers.js';
import { serviceError } from '../../../../core/errors/service-error.js';
import type { ServerRules } from '../../policy/rules.js';
import type { StatusEvent } from '../../../../core/events/job-log-event.js';
import { untilForgotten } from '../../../../client/pool/forgotten.js';

/** A job that was placed on a server, and the parts of the worker that handle what the server does with it. */
export interface AtServerOptions {
  readonly placed: PlacedJob;
  readonly client: Client;
  readonly servers: Pick<ServerStore, 'again' | 'count' | 'addRun' | 'servers'>;
  readonly reached: Pick<ReachedServers, 'busy' | 'isDown' | 'ended'>;
  readonly bring: BringFiles;
  readonly forgetRefused: ReturnType<typeof forgetRefusedFiles>;
  readonly rules: ServerRules;
  readonly clock: Clock;
}

/** How long a server that is full or fails gets no further jobs, unless it says how long; in milliseconds. */
const busyForMs = 5_000;

/** Handles what a server does with its job: refusals, losses, and what its run teaches. */
export const atServer = ({
  placed,
  client,
  servers,
  reached,
  bring,
  forgetRefused,
  rules,
  clock,
}: AtServerOptions): AtServer => {
  const { id, fence, server, job, modelsBefore } = placed;
  const by = { fence };
  const asked = readAskedWork(job.work ?? '');
  /** Gives a job that failed for memory to servers with more, once: its end is no end then, as the worker does not hold it any more. */
  const retryWithMore = async (state: JobState): Promise<void> => {
    if (!ranOutOfMemory(state) || job.reruns !== undefined) return;
    const { larger, others } = largerThan(server, asked, (await servers.servers()).servers);
    if (larger.length === 0) return;
    const failed = `JobFailed: ${state.failure?.exceptionMessage ?? 'It ran out of memory.'}`;
    const reason = `The server ${server} ran out of memory: one with more tries the job.`;
    const event = beginsAnew(reason, clock.wall());
    await servers.again({ id, server, by, why: { _tag: 'failed', reason: failed, servers: others }, event });
  };
  return {
    place: { server, attempt: (job.reruns ?? 0) + 1 },
    refused: async (why, error) => {
      if (why === 'later') reached.busy(server, error.retryAfterMs ?? busyForMs);
      else {
        const reason = `${error._tag}: ${error.message}`;
        await servers.again({ id, server, by, why: { _tag: 'refused', reason, servers: [server] } });
      }
    },
    bring: (workflow) => bring(workflow, server, client),
    forgetRefused: (error, workflow) => forgetRefused(error, workflow, server),
    lost: async () => {
      if (!rerunsLost(rules, client)) return false;
      const event = beginsAnew(`The server ${server} has lost the job: it is submitted again.`, clock.wall());
      await servers.again({ id, server, by, why: { _tag: 'lost' }, event });
      return true;
    },
    watch: (states, promptId) => {
      const { shape, models, guessMs, guessLoadMs } = asked;
      let startedAt: number | undefined;
      // A run that costs money is not repeated: only the client of the server may say that it is lost.
      const known = rerunsLost(rules, client)
        ? untilForgotten(states, { client, isDown: reached.isDown(server) }, promptId, clock)
        : states;
      return known.pipe(
        concatMap(async (state) => {
          const { phase } = state;
          if (phase === 'in_progress') startedAt ??= clock.now();
          if (phase === 'untraceable' && rerunsLost(rules, client))
            throw serviceError('NotFound', { promptId: state.promptId });
          if (phase === 'completed' || phase === 'failed') {
            reached.ended(server, shape, phase);
            void servers.count(phase === 'completed' ? 'done' : 'failed', server).catch(() => undefined);
          }
          if (phase === 'completed' && startedAt !== undefined && !isAllCached(state)) {
            const run = { server, shape, models, modelsBefore, guessMs, guessLoadMs };
            void servers.addRun({ ...run, ms: clock.now() - startedAt }).catch(() => undefined);
          }
          await retryWithMore(state);
          return state;
        }),
      );
    },
  };
};

/** The event by which the log of a job begins anew, and says why. */
export const beginsAnew =
  (reason: string, at: number) =>
  (attempt: number): StatusEvent => {
    const state = { ...initialJobState({ workflow: {} }), warnings: [reason], attempt };
    return { type: 'status', at, status: statusOf(state), progress: progressOf(state) };
  };
