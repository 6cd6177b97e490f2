import { join } from 'node:path';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { imageName } from '../../joblog/job-images.js';
import type { DeliveryContext, JobSink } from '../options.js';
import type { JobState } from '../../../core/state/job-state.js';
import { lastValueFrom } from 'rxjs';

/**
 * Saves the output files of each job into a folder of its own, named by the queue's id of the job, within this one, and the pictures of its
 * `SaveImageWebsocket` nodes.
 *
 * A file appears under its name once it is whole; a delivery that is made again replaces it.
 *
 * @example
 * ```ts
 * import { folderSink } from 'promptwire/queue';
 *
 * const sink = folderSink('/srv/pictures'); // /srv/pictures/<job id>/ComfyUI_00001_.png
 * ```
 */
export const folderSink = (folder: string): JobSink => ({
  deliver: async ({ id, state }, { client, socketImage, signal }) => {
    const options = { filter: isOutput, overwrite: true, signal };
    await lastValueFrom(client.download(state, join(folder, id), options), { defaultValue: undefined });
    await saveImages(join(folder, id), state, socketImage);
  },
});

const isOutput = ({ type }: { readonly type: string }): boolean => type === 'output';

const saveImages = async (
  folder: string,
  { socketImages = [] }: JobState,
  socketImage: DeliveryContext['socketImage'],
): Promise<void> => {
  for (const [at, place] of socketImages.entries()) {
    const image = await socketImage(place);
    if (image === undefined) continue;
    await mkdir(folder, { recursive: true });
    const path = join(folder, imageName(at, image.mediaType));
    await writeFile(`${path}.part`, image.bytes);
    await rename(`${path}.part`, path);
  }
};
