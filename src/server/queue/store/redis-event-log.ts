import { appendScript, expireScript, positionScript, readScript } from './scripts/generated/scripts.js';
import type { EventLog, LoggedEvent } from '../../joblog/event-log.js';
import { newEpoch } from '../../joblog/new-epoch.js';
import { Observable, share } from 'rxjs';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { readEvent } from './read-event.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { runScript, type Script } from './script.js';
import { uuid } from '../../../core/platform/uuid.js';

/** The queue or gateway whose log it is, by its name, and its client of Redis. */
export interface RedisEventLogOptions {
  /** An open connection, which waits while the server is unreachable (`maxRetriesPerRequest: null`); it stays the caller's. */
  readonly redis: RedisClient;
  /** The name of the queue. */
  readonly name: string;
  /** Whether the jobs of the queue keep their own events when `expire` takes them from those of their owner. */
  readonly keepsOfJobs?: boolean | undefined;
  /** Gets a sentence for each event that can't be read, once; default it is not said. */
  readonly onDamage?: ((message: string) => void) | undefined;
}

/**
 * Keeps events in Redis 7, for any number of processes: a stream for each owner, and one for each job.
 *
 * An event is durable once its position is given, where the server has `appendfsync always`. While the server is unreachable, calls wait.
 * `changes` opens a connection of its own with its first subscriber; after that connection was lost it emits every owner that this
 * process has asked for, since notifications may be missing. An event that can't be read stays where it is, and readers get those around it.
 */
export const redisEventLog = ({
  redis,
  name,
  keepsOfJobs = false,
  onDamage,
}: RedisEventLogOptions): Required<Omit<EventLog, 'close'>> => {
  const prefix = `{promptwire:${name}}:`;
  const process = uuid();
  const owners = new Set<string>();

  const run = (one: Script, owner: string, ...args: readonly (string | number)[]): Promise<unknown> => {
    owners.add(owner);
    return runScript(redis, one, prefix, owner, ...args);
  };

  const told = new Set<string>();
  const damaged = (owner: string, position: string): void => {
    const event = `The event ${position} of ${owner === '' ? 'the queue' : owner} can't be read`;
    if (told.has(event) || told.size >= maxTold) return;
    told.add(event);
    onDamage?.(`${event}: its job goes on without it.`);
  };
  /** Reads on after events that can't be read: a page that has fewer than asked for says that the log ends. */
  const read: EventLog['read'] = async (scope, after, limit) => {
    const { owner, jobId = '' } = scope;
    const position = after === undefined ? undefined : /^([\da-f]+)-(\d{1,15})$/u.exec(after);
    if (position === null) return { events: [], gap: true };
    const [, epoch = '', number = '0'] = position ?? [];
    const given = position === undefined ? '' : '1';
    const page = (await run(readScript, owner, jobId, given, epoch, number, limit)) as Page | null;
    if (page === null) return { events: [], gap: true };
    const [own, entries] = page;
    const events = entries.flatMap((entry): readonly LoggedEvent[] => {
      const [, ofJob = '', , text = ''] = entry[1];
      const event = readEvent(text);
      if (event === undefined) damaged(owner, entry[0]);
      if (event === undefined || event === 'later') return [];
      return [{ id: `${own}-${numberOf(entry)}`, jobId: ofJob, event }];
    });
    const missing = limit - events.length;
    const last = entries.at(-1);
    if (last === undefined || entries.length < limit || missing === 0) return { events, gap: false };
    const rest = await read(scope, `${own}-${numberOf(last)}`, missing);
    return rest.gap ? rest : { events: [...events, ...rest.events], gap: false };
  };

  return {
    append: async (owner, jobId, events) => {
      if (events.length === 0) return [];
      const texts = events.map((event) => writeExactJson(event));
      return (await run(appendScript, owner, jobId, newEpoch(), uuid(), process, ...texts)) as string[];
    },
    read,
    position: async (owner) => (await run(positionScript, owner, newEpoch())) as string,
    expire: async (owner, jobId) => {
      await run(expireScript, owner, jobId, ...(keepsOfJobs ? ['1'] : []));
    },
    changes: appended(redis, `${prefix}appended`, process, owners).pipe(share()),
  };
};

/** The epoch of the log, and entries of a stream as Redis gives them. */
type Page = readonly [string, readonly (readonly [string, readonly string[]])[]];

const numberOf = ([id]: Page[1][number]): string => id.slice(0, id.indexOf('-'));

/** The most unreadable events that a log reports while it is open. */
const maxTold = 1_000;

/** What a process tells the others when it has appended to a log. */
export interface Appended {
  readonly process: string;
  readonly owner: string;
  readonly jobId: string;
}

/** Reads what the scripts publish on the channel `appended`; undefined for anything else. */
export const readAppended = (message: string): Appended | undefined => {
  try {
    const [process = '', owner = '', jobId = ''] = JSON.parse(message) as readonly string[];
    return { process, owner, jobId };
  } catch {
    return undefined;
  }
};

/** Listens for appends of other processes. Cold: each subscriber has a connection. Never errors, never completes. */
const appended = (
  redis: RedisClient,
  channel: string,
  process: string,
  owners: ReadonlySet<string>,
): Observable<string> =>
  new Observable((subscriber) => {
    let hasListened = false;
    const listener = redisCommands(redis).listen({
      channels: () => [channel],
      onMessage: (_, message) => {
        const from = readAppended(message.toString());
        if (from !== undefined && from.process !== process) subscriber.next(from.owner);
      },
      onListening: () => {
        if (hasListened) for (const owner of owners) subscriber.next(owner);
        hasListened = true;
      },
    });
    return listener.close;
  });
