import { filter, map, Observable, share } from 'rxjs';
import { readAppended } from '../store/redis-event-log.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';

/** What the processes of a queue tell each other: hints only, since a message is lost while a connection is. */
export interface QueueNotifications {
  /** Emits the job of each append to the log. */
  readonly appended: Observable<string>;
  /** Emits the id of a job that has another phase, or is gone. */
  readonly changed: Observable<string>;
  /** Emits the id of a job whose cancellation is asked for. */
  readonly cancelled: Observable<string>;
  /** Emits when the queue goes on after a pause. */
  readonly resumed: Observable<void>;
  /** Emits the latest progress of a job, as JSON. */
  readonly progress: Observable<{ readonly id: string; readonly text: string }>;
  /** Emits once messages may have been missed. */
  readonly missed: Observable<void>;
}

/** Listens to a queue by one connection, which is opened with the first subscriber and closed with the last one. */
export const queueNotifications = (redis: RedisClient, name: string): QueueNotifications => {
  const prefix = `{promptwire:${name}}:`;
  const messages = listen(redis, ['appended', 'cancel', 'changed', 'resumed', 'progress'], prefix).pipe(
    share(),
  );
  const of = (topic: string) =>
    messages.pipe(
      filter((message) => message.topic === topic),
      map(({ text }) => text),
    );
  return {
    appended: of('appended').pipe(
      map((text) => readAppended(text)?.jobId),
      filter((jobId) => jobId !== undefined),
    ),
    changed: of('changed'),
    cancelled: of('cancel'),
    resumed: of('resumed').pipe(map(() => undefined)),
    progress: of('progress').pipe(
      map((text) => {
        const at = text.indexOf(' ');
        return { id: text.slice(0, at), text: text.slice(at + 1) };
      }),
    ),
    missed: of('ready').pipe(map(() => undefined)),
  };
};

/** Never errors, never completes; emits the topic `ready` each time that it listens from then on. */
const listen = (
  redis: RedisClient,
  topics: readonly string[],
  prefix: string,
): Observable<{ readonly topic: string; readonly text: string }> =>
  new Observable((subscriber) => {
    const channels = topics.map((topic) => prefix + topic);
    const listener = redisCommands(redis).listen({
      channels: () => channels,
      onMessage: (channel, message) =>
        subscriber.next({ topic: channel.slice(prefix.length), text: message.toString() }),
      onListening: () => subscriber.next({ topic: 'ready', text: '' }),
    });
    return listener.close;
  });
