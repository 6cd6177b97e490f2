import { base64, fromBase64 } from '../../joblog/base64.js';
import { below, keyOf } from './keys.js';
import type { Change } from './change.js';
import { changeShare, jobShares, shareOf } from './shares.js';
import { count } from './count.js';
import type { ImagePlace, JobImages } from '../../joblog/job-images.js';
import { defaultSize, jobKey, type JobTotals, noJobs, type StoredJob, totalKey } from './job-values.js';
import type { Store } from './store.js';
import { get, pagesOf } from './view.js';

/** Below `image!ID!NODE!INDEX`: a picture that a job sent over the socket. */
interface StoredImage {
  readonly mediaType: string;
  readonly base64: string;
}

/** The bound of an index that pictures count towards. */
interface ImageLimits {
  /** As of the index. */
  readonly maxSize?: number | undefined;
}

const imageKey = (id: string, { nodeId, index }: ImagePlace): string => keyOf('image', id, nodeId, index);

/**
 * Keeps pictures beside their jobs, with whose size they count (docs/stores.md). One for which the owner, or the index, has no room is not
 * kept: its job goes on and may tell any number.
 */
export const jobImagesIn = (store: Store, { maxSize = defaultSize }: ImageLimits = {}): JobImages => ({
  put: (id, place, { mediaType, bytes }) =>
    store.change(async (change) => {
      const job = await get<StoredJob>(change, jobKey(id));
      if (job === undefined) return false;
      const key = imageKey(id, place);
      const before = await get<StoredImage>(change, key);
      const image: StoredImage = { mediaType, base64: base64(bytes) };
      const more = image.base64.length - (before?.base64.length ?? 0);
      if (!(await hasRoom(change, job, more, maxSize))) return false;
      change.put(key, image);
      change.put(jobKey(id), { ...job, size: job.size + more } satisfies StoredJob);
      await count(change, { size: more });
      await changeShare(change, jobShares, job.record.owner, { jobs: 0, size: more });
      return true;
    }),
  get: async (id, place) => {
    const image = await store.read((view) => get<StoredImage>(view, imageKey(id, place)));
    return image && { mediaType: image.mediaType, bytes: fromBase64(image.base64) };
  },
});

const hasRoom = async (
  change: Change,
  { record: { owner }, maxOwnSize = Infinity }: StoredJob,
  more: number,
  maxSize: number,
): Promise<boolean> => {
  const own = await shareOf(change, jobShares, owner);
  const all = (await get<JobTotals>(change, totalKey)) ?? noJobs;
  return more <= 0 || (own.size + more <= maxOwnSize && all.size + more <= maxSize);
};

/** Removes the pictures of a job. */
export const removeImages = async (change: Change, id: string): Promise<void> => {
  for await (const page of pagesOf(change, below('image', id))) for (const [key] of page) change.remove(key);
};
