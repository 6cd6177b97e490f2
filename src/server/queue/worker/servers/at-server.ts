import type { AtServer } from '../run-context.js';
import type { Client } from '../../../../client/client-types.js';
import type { Clock } from '../../../../core/platform/platform.js';
import { initialJobState } from '../../../../core/state/initial-job-state.js';
import { isAllCached } from '../../../../core/state/is-all-cached.js';
import { map } from 'rxjs';
import type { PlacedJob, ServerStore } from '../../servers/server-store.js';
import { progressOf, statusOf } from '../../../../core/events/state-members.js';
import type { ReachedServers } from './reached-servers.js';
import { readAskedWork } from '../../servers/asked-work.js';
import { rerunsLost } from './reached-servers.js';
import { serviceError } from '../../../../core/errors/service-error.js';
import type { ServerRules } from '../../policy/rules.js';
import type { StatusEvent } from '../../../../core/events/job-log-event.js';

/** What {@link atServer} works with. */
export interface AtServerOptions {
  readonly placed: PlacedJob;
  readonly client: Client;
  readonly servers: Pick<ServerStore, 'again' | 'count' | 'addRun'>;
  readonly reached: Pick<ReachedServers, 'busy'>;
  readonly rules: ServerRules;
  readonly clock: Clock;
}

/** A server that is full or fails gets no further jobs for so long where it does not say how long, in milliseconds. */
const busyForMs = 5_000;

/** What becomes of a job at its server where that refuses or loses it, and what its run teaches. */
export const atServer = ({ placed, client, servers, reached, rules, clock }: AtServerOptions): AtServer => {
  const { id, fence, server, job, modelsBefore } = placed;
  const by = { fence };
  return {
    refused: async (why, error) => {
      if (why === 'later') reached.busy(server, error.retryAfterMs ?? busyForMs);
      else await servers.again({ id, server, by, refusal: `${error._tag}: ${error.message}` });
    },
    lost: async () => {
      if (!rerunsLost(rules, client)) return false;
      const event = beginsAnew(`The server ${server} has lost the job: it is submitted again.`, clock.wall());
      await servers.again({ id, server, by, event });
      return true;
    },
    watch: (states) => {
      const asked = readAskedWork(job.work ?? '');
      const { shape, models, guessMs, guessLoadMs } = asked;
      let startedAt: number | undefined;
      return states.pipe(
        map((state) => {
          const { phase } = state;
          if (phase === 'in_progress') startedAt ??= clock.now();
          if (phase === 'untraceable' && rerunsLost(rules, client))
            throw serviceError('NotFound', { promptId: state.promptId });
          if (phase === 'completed' || phase === 'failed')
            void servers.count(phase === 'completed' ? 'done' : 'failed', server).catch(() => undefined);
          if (phase === 'completed' && startedAt !== undefined && !isAllCached(state)) {
            const run = { server, shape, models, modelsBefore, guessMs, guessLoadMs };
            void servers.addRun({ ...run, ms: clock.now() - startedAt }).catch(() => undefined);
          }
          return state;
        }),
      );
    },
  };
};

/** The event by which the log of a job begins anew, and says why. */
export const beginsAnew = (reason: string, at: number): StatusEvent => {
  const state = { ...initialJobState({ workflow: {} }), warnings: [reason] };
  return { type: 'status', at, status: statusOf(state), progress: progressOf(state) };
};
