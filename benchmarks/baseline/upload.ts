import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { request } from 'undici';

/** The floor: the form of an upload, its file streamed from the disk between two pieces of text. */
export const floorUpload = async (baseUrl: string, apiKey: string, path: string): Promise<unknown> => {
  const { size } = await stat(path);
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="${basename(path)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(
    `\r\n--${boundary}\r\nContent-Disposition: form-data; name="type"\r\n\r\ninput\r\n--${boundary}--\r\n`,
  );
  async function* form(): AsyncGenerator<Buffer> {
    yield head;
    yield* createReadStream(path) as AsyncIterable<Buffer>;
    yield tail;
  }
  const { body } = await request(`${baseUrl}/api/upload/image`, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    },
    body: Readable.from(form()),
  });
  return body.json();
};

const boundary = 'promptwire-benchmark';
