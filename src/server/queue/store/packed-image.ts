import type { ImagePlace, JobImage } from '../../joblog/job-images.js';
import type { RedisCommands } from '../redis/redis-commands.js';

/** The field of a picture in the hash of its job. */
export const imageField = ({ nodeId, index }: ImagePlace): string => JSON.stringify([nodeId, index]);

/** A picture as the store has it: its media type, a line feed, and its bytes. */
export const packImage = ({ mediaType, bytes }: JobImage): Buffer =>
  Buffer.concat([Buffer.from(`${mediaType}\n`), bytes]);

/** Reads a picture of a job, which stands in a hash of its own. */
export const readImage = async (
  { sendForBytes }: Pick<RedisCommands, 'sendForBytes'>,
  key: string,
  place: ImagePlace,
): Promise<JobImage | undefined> => readPacked(await sendForBytes('HGET', key, imageField(place)));

/** Undoes {@link packImage}; undefined if there is nothing, or no such text. */
export const readPacked = (packed: Buffer | null): JobImage | undefined => {
  const end = packed?.indexOf('\n') ?? -1;
  if (packed === null || end < 0) return undefined;
  const mediaType = packed.toString('latin1', 0, end);
  return isMediaType(mediaType) ? { mediaType, bytes: new Uint8Array(packed.subarray(end + 1)) } : undefined;
};

/** Whether a text may stand in a header. */
export const isMediaType = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x20-\x7e]*$/u.test(value);
