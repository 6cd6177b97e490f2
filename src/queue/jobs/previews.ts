import { finalize, Observable, ReplaySubject, share, switchMap } from 'rxjs';
import { openListener } from '../store/open-listener.js';
import type { Preview } from 'promptwire';
import type { Redis } from 'ioredis';

/** The pictures of running jobs, from the worker to those who follow: never stored, so one that nobody takes is gone. */
export interface QueuePreviews {
  /** Emits the previews of a job from now on; never completes, never errors. */
  readonly of: (id: string) => Observable<Preview>;
  /** Hands a preview to those who follow the job now; resolves once the server has it. */
  readonly publish: (id: string, preview: Preview) => Promise<void>;
}

/** A larger picture is no preview, and would fill the buffers of slow followers. */
const mostBytes = 2 ** 20;

/** Hands previews out by publish and subscribe, over one connection that the first follower opens and the last one closes. */
export const queuePreviews = (redis: Redis, name: string): QueuePreviews => {
  const channelOf = (id: string): string => `{promptwire:${name}}:preview:${id}`;
  const channels = new Set<string>();
  const connection = new Observable<Redis>((subscriber) => {
    const listener = openListener(redis, () => [...channels]);
    // One for each job that is followed.
    listener.setMaxListeners(0);
    subscriber.next(listener);
    return () => listener.disconnect();
  }).pipe(share({ connector: () => new ReplaySubject(1) }));
  const followed = new Map<string, Observable<Preview>>();

  const listen = (id: string): Observable<Preview> =>
    connection.pipe(
      switchMap(
        (listener) =>
          new Observable<Preview>((subscriber) => {
            const own = channelOf(id);
            const take = (channel: Buffer, message: Buffer): void => {
              if (channel.toString() === own) subscriber.next(read(message));
            };
            listener.on('messageBuffer', take);
            channels.add(own);
            listener.subscribe(own).catch(() => undefined);
            return () => {
              listener.off('messageBuffer', take);
              channels.delete(own);
              listener.unsubscribe(own).catch(() => undefined);
            };
          }),
      ),
      finalize(() => followed.delete(id)),
      share(),
    );

  return {
    of: (id) => {
      const known = followed.get(id) ?? listen(id);
      followed.set(id, known);
      return known;
    },
    publish: async (id, preview) => {
      if (preview.image.byteLength <= mostBytes) await redis.publish(channelOf(id), written(preview));
    },
  };
};

/** One line of JSON, then the bytes. */
const written = ({ image, ...about }: Preview): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), image]);

const read = (message: Buffer): Preview => {
  const end = message.indexOf('\n');
  const about = JSON.parse(message.subarray(0, end).toString()) as Omit<Preview, 'image'>;
  return { ...about, image: new Uint8Array(message.subarray(end + 1)) };
};
