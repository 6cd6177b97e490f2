import type { PooledServer } from './pool-server.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { WaitingJob } from './waiting-jobs.js';

/** Which servers of a pool can run a job, with those that have not said yet whether they can. */
export type Outlook = { readonly unknown: readonly PooledServer[] } & (
  | {
      /** These can run it, and one at least takes new jobs. */
      readonly _tag: 'able';
      readonly able: readonly PooledServer[];
    }
  | {
      /** Servers that may run it are all unreachable, paused or not asked yet; `reason` where they are known to be unreachable or paused. */
      readonly _tag: 'away';
      readonly reason: string | undefined;
    }
  | {
      /** No server can run it. */
      readonly _tag: 'impossible';
      readonly error: ServiceError;
    }
);

/** Says which servers can run a job. */
export const outlookOf = (
  job: Pick<WaitingJob, 'work' | 'tags' | 'excluded'>,
  servers: Iterable<PooledServer>,
): Outlook => {
  const tagged = [...servers].filter(({ tags }) => job.tags.every((tag) => tags.includes(tag)));
  const left = tagged.filter(
    ({ name, can }) => !job.excluded.has(name) && can.of(job.work)._tag !== 'unable',
  );
  const unknown = left.filter(({ can }) => can.of(job.work)._tag === 'unknown');
  const able = left.filter(({ can }) => can.of(job.work)._tag === 'able');
  const refusing = able.filter(({ state }) => state().health === 'refusing');
  if (unknown.length === 0 && refusing.length === able.length)
    return { _tag: 'impossible', unknown, error: impossible(job, tagged, refusing) };
  return able.some(takesJobs)
    ? { _tag: 'able', unknown, able }
    : {
        _tag: 'away',
        unknown,
        reason: left.every(isAway) ? `It waits for ${list(left.map(stateOf))}.` : undefined,
      };
};

const isAway = ({ state }: PooledServer): boolean => state().health === 'down' || state().mode !== 'active';

const takesJobs = ({ state }: PooledServer): boolean => state().health === 'up' && state().mode === 'active';

const stateOf = ({ name, state }: PooledServer): string => {
  const { health, mode, reason } = state();
  if (mode !== 'active') return `${name}, which is ${mode}`;
  return `${name}, which is ${health}${reason === undefined ? '' : ` (${reason})`}`;
};

const list = (texts: readonly string[], between = '; or '): string => {
  const shown = texts.slice(0, maxShown);
  return texts.length > shown.length
    ? `${shown.join(between)}; and ${texts.length - shown.length} more`
    : shown.join(between);
};

const maxShown = 5;

/** The union of the reasons. */
const impossible = (
  { work, tags, excluded }: Pick<WaitingJob, 'work' | 'tags' | 'excluded'>,
  tagged: readonly PooledServer[],
  refusing: readonly PooledServer[],
): ServiceError => {
  if (tagged.length === 0)
    return serviceError('InvalidConfig', {
      option: 'tags',
      message: `No server of the pool has ${tags.length === 1 ? 'the tag' : 'all of the tags'} ${tags.join(', ')}.`,
      hint: 'Give a server these tags, or ask for others.',
    });
  const refusal = refusing.length === tagged.length ? refusing[0]?.refusal() : undefined;
  if (refusal !== undefined) return refusal;
  // A reason that all servers give concerns the workflow, and no server is named.
  const [only, ...others] = excluded.values();
  if (only !== undefined && excluded.size >= tagged.length && others.every((other) => isAlike(other, only)))
    return only;
  const problems = tagged.flatMap((server) => problemsOf(server, work));
  const reasons = tagged.map(
    (server) =>
      `${server.name}: ${
        excluded.get(server.name)?.message ??
        server.refusal()?.message ??
        problemsOf(server, work)
          .slice(0, 3)
          .map(({ message }) => message)
          .join(' ')
      }`,
  );
  return serviceError('InvalidWorkflow', {
    format: 'api',
    problems,
    message: `No server of the pool can run the workflow. ${list(reasons, '; ')}`,
    hint: 'Install what is missing on one of the servers, or add a server that has it.',
  });
};

const isAlike = (one: ServiceError, other: ServiceError): boolean =>
  one._tag === other._tag && one.message === other.message;

const problemsOf = ({ can }: PooledServer, work: WaitingJob['work']): readonly Problem[] => {
  const capability = can.of(work);
  return capability._tag === 'unable' ? capability.problems : [];
};
