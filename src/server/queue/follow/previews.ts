import { defer, EMPTY, filter, finalize, map, merge, Observable, share } from 'rxjs';
import { isMediaType } from '../store/packed-image.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import { readStoredJson } from '../store/read-stored-json.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import type { RedisListener } from '../redis/redis-commands.js';

/** The pictures of running jobs, from the worker to those who follow: never stored, so a picture without a subscriber is gone. */
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
  redis: RedisClient,
  name: string,
  { maxPreviewBytes = defaultPreviewBytes, onTooLarge }: QueuePreviewsOptions = {},
): QueuePreviews => {
  /** The job that was told of last: its next pictures are as large. */
  let told: string | undefined;
  const channelOf = (id: string): string => `{promptwire:${name}}:preview:${id}`;
  const commands = redisCommands(redis);
  const channels = new Set<string>();
  let listener: RedisListener | undefined;
  const messages = new Observable<Message>((subscriber) => {
    const own = commands.listen({
      channels: () => [...channels],
      onMessage: (channel, message) => subscriber.next({ channel, message }),
    });
    listener = own;
    return own.close;
  }).pipe(share());
  const followed = new Map<string, Observable<Preview>>();

  const listen = (id: string): Observable<Preview> => {
    const own = channelOf(id);
    const previews = messages.pipe(
      filter(({ channel }) => channel === own),
      map(({ message }) => read(message)),
      filter((preview) => preview !== undefined),
    );
    // The first follower opens the connection, which listens to this channel from its beginning.
    const listening = defer(() => {
      listener?.add(own);
      return EMPTY;
    });
    return defer(() => {
      channels.add(own);
      return merge(previews, listening);
    }).pipe(
      finalize(() => {
        channels.delete(own);
        listener?.remove(own);
        followed.delete(id);
      }),
      share(),
    );
  };

  return {
    of: (id) => {
      const known = followed.get(id) ?? listen(id);
      followed.set(id, known);
      return known;
    },
    publish: async (id, preview) => {
      const bytes = preview.image.byteLength;
      if (bytes <= maxPreviewBytes) {
        await commands.send('PUBLISH', channelOf(id), written(preview));
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

interface Message {
  readonly channel: string;
  readonly message: Buffer;
}

/** One line of JSON, then the bytes. */
const written = ({ image, ...about }: Preview): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), image]);

/** Undefined for what no worker has sent. */
const read = (message: Buffer): Preview | undefined => {
  const end = message.indexOf('\n');
  const about = readStoredJson(message.subarray(0, Math.max(0, end)).toString());
  if (!isJsonObject(about) || !isMediaType(about['mediaType'])) return undefined;
  if (about['nodeId'] !== undefined && typeof about['nodeId'] !== 'string') return undefined;
  return { ...(about as unknown as Preview), image: new Uint8Array(message.subarray(end + 1)) };
};
