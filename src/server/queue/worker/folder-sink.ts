import { join } from 'node:path';
import type { JobSink } from '../options.js';
import { lastValueFrom } from 'rxjs';

/**
 * Saves the output files of each job into a folder of its own, named by the queue's id of the job, within this one.
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
  deliver: async ({ id, state }, { client, signal }) => {
    const options = { filter: isOutput, overwrite: true, signal };
    await lastValueFrom(client.download(state, join(folder, id), options), { defaultValue: undefined });
  },
});

const isOutput = ({ type }: { readonly type: string }): boolean => type === 'output';
