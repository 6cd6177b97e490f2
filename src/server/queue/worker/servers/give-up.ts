import { beginsAnew } from './at-server.js';
import type { Client } from '../../../../client/client-types.js';
import * as E from '../../../../core/protocol/either.js';
import type { QueueSnapshot } from '../../servers/queue-snapshot.js';
import { isTerminal } from '../../../../core/state/job-state.js';
import type { ServerStore } from '../../servers/server-store.js';

/** The jobs of servers that no worker has reached for as long as that, where a job that is lost is submitted again: pure. */
export const jobsToGiveUp = (
  { now, servers }: Pick<QueueSnapshot, 'now' | 'servers'>,
  giveUpAfterMs: number,
): readonly { readonly id: string; readonly server: string }[] =>
  [...servers.values()]
    .filter(({ awaySince = Infinity, last }) => last?.rerunsLost === true && now - awaySince >= giveUpAfterMs)
    .flatMap(({ name, uses }) =>
      uses.filter(({ id }) => !id.startsWith(lateUse)).map(({ id }) => ({ id, server: name })),
    );

/** A copy that was given up uses its slot under this name. */
const lateUse = 'late:';

/** Gives these jobs to other servers, on record. */
export const giveUpJobs = async (
  store: Pick<ServerStore, 'again'>,
  snapshot: QueueSnapshot,
  giveUpAfterMs: number,
  wall: number,
): Promise<void> => {
  for (const { id, server } of jobsToGiveUp(snapshot, giveUpAfterMs)) {
    const reason = `No worker has reached the server ${server} for ${giveUpAfterMs} ms: the job is submitted again.`;
    const event = beginsAnew(reason, wall);
    await store.again({ id, server, by: { awayMs: giveUpAfterMs }, why: { _tag: 'lost' }, event });
  }
};

/** Asks servers that are reached again what became of the copies which were given up, counts those that ended, and frees their slots. */
export const settleGivenUp = async (
  store: Pick<ServerStore, 'lateEnd'>,
  givenUp: readonly (readonly [promptId: string, server: string])[],
  clientOf: (server: string) => Client | undefined,
): Promise<void> => {
  for (const [promptId, server] of givenUp) {
    const client = clientOf(server);
    if (client === undefined) continue;
    const answer = await client.rest.jobStatus(promptId, { timeoutMs: requestTimeoutMs })();
    if (E.isRight(answer) && isTerminal(answer.right.phase)) await store.lateEnd(promptId, server, true);
    else if (E.isLeft(answer) && answer.left._tag === 'NotFound')
      await store.lateEnd(promptId, server, false);
  }
};

const requestTimeoutMs = 5_000;
