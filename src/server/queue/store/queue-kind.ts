import type { RedisCommands } from '../redis/redis-commands.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** What the jobs of a queue run on. */
export type QueueKind = 'account' | 'servers';

/**
 * What the jobs of a queue run on: what the first part said that named servers. Rejects with `InvalidConfig` for a part that takes it for another
 * kind.
 */
export const queueKind = async (
  { send }: Pick<RedisCommands, 'send'>,
  name: string,
  asked: QueueKind | undefined,
): Promise<QueueKind> => {
  const prefix = `{promptwire:${name}}:`;
  const known: QueueKind = (await send('GET', `${prefix}over`)) === null ? 'account' : 'servers';
  if (asked === undefined || asked === known) return known;
  if (asked === 'account') throw otherKind(name, 'servers');
  const hasJobs = (await send('EXISTS', `${prefix}jobs`, `${prefix}slots`)) !== 0;
  if (hasJobs) throw otherKind(name, 'an account');
  await send('SET', `${prefix}over`, 'servers');
  return 'servers';
};

const otherKind = (name: string, is: string): Error =>
  serviceError('InvalidConfig', {
    option: 'over',
    message: `The queue ${name} is one of ${is}.`,
    hint:
      is === 'servers'
        ? "Leave tier out, say over: 'servers', and give its workers a pool; or use another name."
        : 'Use another name for a queue over servers, or give its workers a client.',
  });

/** The error of an option that a queue over servers has no use for. */
export const notOverServers = (option: string, hint: string): Error =>
  serviceError('InvalidConfig', {
    option,
    message: `${option} is of a queue over an account, and this one is over servers.`,
    hint,
  });

/** What to do in place of a tier. */
export const slotsOfServersHint =
  'Leave it out: each server has slots of its own, which the pool of its worker says (slots).';
