import { lastValueFrom } from 'rxjs';
import { download } from '../../../src/core/files/download.js';
import type { SavedFile } from '../../../src/core/files/download-state.js';
import type { Rest } from '../../../src/core/http/rest.js';
import { view } from '../../../src/core/http/view.js';
import type { Platform } from '../../../src/core/platform/platform.js';
import { outputNamed } from '../../helpers/file-service.js';
import { httpConnection } from '../../helpers/http-connection.js';

/** Saves one file as the published client does, but for its disk and its clock, and for what `change` makes of its view. */
export const saveOne = async (
  platform: Platform,
  baseUrl: string,
  filename: string,
  change: (view: Rest['view']) => Rest['view'] = (own) => own,
): Promise<SavedFile> => {
  const connection = httpConnection(platform, { baseUrl });
  const save = download({ platform, view: change((file, options) => view(connection, file, options)) });
  const { files } = await lastValueFrom(save([outputNamed(filename)], '/out'));
  return files[0]!;
};
