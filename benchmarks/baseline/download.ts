import { createWriteStream } from 'node:fs';
import { request, stream } from 'undici';

/** The floor: asks where the file is, and streams it from there to the disk. */
export const floorDownload = async (baseUrl: string, filename: string, path: string): Promise<void> => {
  const { headers, body } = await request(`${baseUrl}/api/view?filename=${filename}&type=output`);
  await body.dump();
  await stream(String(headers['location']), { method: 'GET' }, () => createWriteStream(path));
};
