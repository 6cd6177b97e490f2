import { appendScript, expireScript, positionScript, readScript } from './scripts/generated/scripts.js';
import type { EventLog, LoggedEvent } from '../../joblog/event-log.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import { newEpoch } from '../../joblog/new-epoch.js';
import { Observable, share } from 'rxjs';
import { parseExactJson, writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { readJobEvent } from '../../../core/events/read-job-event.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { runScript, type Script } from './script.js';
import { uuid } from '../../../core/platform/uuid.js';

/** The queue or gateway whose log it is, by its name, and its client of Redis. */
export interface RedisEventLogOptions {
  /** An open connection, which waits while the server is away (`maxRetriesPerRequest: null`); it stays the caller's. */
  readonly redis: RedisClient;
  /** The name of the queue. */
  readonly name: string;
}

/**
 * Keeps events in Redis 7, for any number of processes: a stream for each owner, and one for each job.
 *
 * An event is durable once its position is given, where the server has `appendfsync always`. While the server is away, calls wait.
 * `changes` opens a connection of its own with its first subscriber; after that connection was lost it emits every owner that this
 * process has asked for, since news may be missing.
 */
export const redisEventLog = ({ redis, name }: RedisEventLogOptions): EventLog => {
  const prefix = `{promptwire:${name}}:`;
  const process = uuid();
  const owners = new Set<string>();

  const run = (one: Script, owner: string, ...args: readonly (string | number)[]): Promise<unknown> => {
    owners.add(owner);
    return runScript(redis, one, prefix, owner, ...args);
  };

  return {
    append: async (owner, jobId, events) => {
      if (events.length === 0) return [];
      const texts = events.map((event) => writeExactJson(event));
      return (await run(appendScript, owner, jobId, newEpoch(), uuid(), process, ...texts)) as string[];
    },
    read: async ({ owner, jobId = '' }, after, limit) => {
      const position = after === undefined ? undefined : /^([\da-f]+)-(\d{1,15})$/u.exec(after);
      if (position === null) return { events: [], gap: true };
      const [, epoch = '', number = '0'] = position ?? [];
      const given = position === undefined ? '' : '1';
      const page = (await run(readScript, owner, jobId, given, epoch, number, limit)) as Page | null;
      if (page === null) return { events: [], gap: true };
      const [own, entries] = page;
      return { events: entries.map((entry) => eventOf(own, entry)), gap: false };
    },
    position: async (owner) => (await run(positionScript, owner, newEpoch())) as string,
    expire: async (owner, jobId) => {
      await run(expireScript, owner, jobId);
    },
    changes: appended(redis, `${prefix}appended`, process, owners).pipe(share()),
  };
};

/** The epoch of the log, and entries of a stream as Redis gives them. */
type Page = readonly [string, readonly (readonly [string, readonly string[]])[]];

const eventOf = (epoch: string, [id, fields]: Page[1][number]): LoggedEvent => {
  const [, jobId = '', , text = ''] = fields;
  const event = readJobEvent(parseExactJson(text) as LifecycleEvent);
  return { id: `${epoch}-${id.slice(0, id.indexOf('-'))}`, jobId, event };
};

/** What a process tells the others when it has appended to a log. */
export interface Appended {
  readonly process: string;
  readonly owner: string;
  readonly jobId: string;
}

/** Reads what the scripts publish on the channel `appended`. */
export const readAppended = (message: string): Appended => {
  const [process, owner, jobId] = JSON.parse(message) as readonly [string, string, string];
  return { process, owner, jobId };
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
        const { process: from, owner } = readAppended(message.toString());
        if (from !== process) subscriber.next(owner);
      },
      onListening: () => {
        if (hasListened) for (const owner of owners) subscriber.next(owner);
        hasListened = true;
      },
    });
    return listener.close;
  });
