import { createWriteStream } from 'node:fs';
import { request, stream } from 'undici';

/** Where a file is asked for, and with which key. */
export interface FloorDownload {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly filename: string;
}

/** The floor: asks where the file is, and streams it from there to the disk. */
export const floorDownload = async (
  { baseUrl, apiKey, filename }: FloorDownload,
  path: string,
): Promise<void> => {
  const query = new URLSearchParams({ filename, subfolder: '', type: 'output' });
  const { headers, body } = await request(`${baseUrl}/api/view?${query}`, {
    headers: { 'x-api-key': apiKey },
  });
  await body.dump();
  await stream(String(headers['location']), { method: 'GET' }, () => createWriteStream(path));
};
