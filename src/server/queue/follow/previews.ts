import { finalize, Observable, ReplaySubject, share, switchMap } from 'rxjs';
import { openListener } from '../store/open-listener.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import type { Redis } from 'ioredis';

/** The pictures of running jobs, from the worker to those who follow: never stored, so one that nobody takes is gone. */
export interface QueuePreviews {
  /** Emits the previews of a job from now on; never completes, never errors. */
  readonly of: (id: string) => Observable<Preview>;
  /** Hands a preview to those who follow the job now; resolves once the server has it, or at once where it is larger than the bound. */
  readonly publish: (id: string, preview: Preview) => Promise<void>;
}

/** Options of {@link queuePreviews}. */
export interface QueuePreviewsOptions {
  /** How many bytes a picture may have; default 8 MiB, which Redis lets a slow follower have waiting. */
  readonly maxPreviewBytes?: number | undefined;
  /** Called with the first picture of a job that is larger. */
  readonly onTooLarge?: ((message: string) => void) | undefined;
}

const defaultPreviewBytes = 8 * 2 ** 20;

/** Hands previews out by publish and subscribe, over one connection that the first follower opens and the last one closes. */
export const queuePreviews = (
  redis: Redis,
  name: string,
  { maxPreviewBytes = defaultPreviewBytes, onTooLarge }: QueuePreviewsOptions = {},
): QueuePreviews => {
  /** The job that was told of last: its next pictures are as large. */
  let told: string | undefined;
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
      const bytes = preview.image.byteLength;
      if (bytes <= maxPreviewBytes) {
        await redis.publish(channelOf(id), written(preview));
        return;
      }
      if (told !== id) {
        onTooLarge?.(
          `A preview of the job ${id} has ${bytes} bytes and reaches no follower: the bound of maxPreviewBytes is ${maxPreviewBytes}.`,
        );
      }
      told = id;
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
