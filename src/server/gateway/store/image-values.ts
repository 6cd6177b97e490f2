import { base64, fromBase64 } from '../../joblog/base64.js';
import { below, keyOf } from './keys.js';
import type { Change } from './change.js';
import { changeShare, jobShares } from './shares.js';
import { count } from './count.js';
import type { ImagePlace, JobImages } from '../../joblog/job-images.js';
import { jobKey, type StoredJob } from './job-values.js';
import type { Store } from './store.js';
import { get, pagesOf } from './view.js';

/** Below `image!ID!NODE!INDEX`: a picture that a job sent over the socket. */
interface StoredImage {
  readonly mediaType: string;
  readonly base64: string;
}

const imageKey = (id: string, { nodeId, index }: ImagePlace): string => keyOf('image', id, nodeId, index);

/** Keeps pictures beside their jobs, with whose size they count (docs/stores.md). */
export const jobImagesIn = (store: Store): JobImages => ({
  put: (id, place, { mediaType, bytes }) =>
    store.change(async (change) => {
      const job = await get<StoredJob>(change, jobKey(id));
      if (job === undefined) return false;
      const key = imageKey(id, place);
      const before = await get<StoredImage>(change, key);
      const image: StoredImage = { mediaType, base64: base64(bytes) };
      const more = image.base64.length - (before?.base64.length ?? 0);
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

/** Removes the pictures of a job. */
export const removeImages = async (change: Change, id: string): Promise<void> => {
  for await (const page of pagesOf(change, below('image', id))) for (const [key] of page) change.remove(key);
};
