import * as E from 'fp-ts/lib/Either.js';
import type { Rest } from '../../../src/core/http/rest.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import type { Files, Platform } from '../../../src/core/platform/platform.js';
import { type Save, saveByClient } from '../spoiled-downloads.js';
import { saveOne } from './save-one.js';
import type { VirtualDisk } from './virtual-disk.js';

/** Clients that leave one care out. */
export const carelessSaves: Readonly<Record<string, Save>> = {
  'takes what came before a cut for the whole': (platform, baseUrl, filename) =>
    saveOne(
      platform,
      baseUrl,
      filename,
      (ask) => (file, options) => async () =>
        E.map((content: ContentOf<Rest['view']>) => ({ ...content, body: untilItFails(content.body) }))(
          await ask(file, options)(),
        ),
    ),
  'takes every refusal for the last word': (platform, baseUrl, filename) =>
    saveOne(
      platform,
      baseUrl,
      filename,
      (ask) => (file, options) => async () =>
        E.mapLeft((error: ServiceError) => Object.assign(error, { retry: 'never' as const }))(
          await ask(file, options)(),
        ),
    ),
  'goes on with the bytes of whatever version': (platform, baseUrl, filename) =>
    saveByClient({ ...platform, request: blindly(platform) }, baseUrl, filename),
  'writes under the final name': (platform, baseUrl, filename, disk) =>
    saveByClient({ ...platform, files: withoutParts(disk) }, baseUrl, filename),
  'leaves its part files behind': (platform, baseUrl, filename, { files }) =>
    saveByClient({ ...platform, files: neverRemoving(files) }, baseUrl, filename),
  'calls every file verified': async (platform, baseUrl, filename) => ({
    ...(await saveByClient(platform, baseUrl, filename)),
    verified: true,
  }),
  'calls no file verified': async (platform, baseUrl, filename) => ({
    ...(await saveByClient(platform, baseUrl, filename)),
    verified: false,
  }),
  'does not look at what came': (platform, baseUrl) => saveByClient(platform, baseUrl, 'a.bin'),
};

type ContentOf<A> = A extends (...args: never[]) => () => Promise<E.Either<unknown, infer B>> ? B : never;

async function* untilItFails(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch {
    // Every failure ends the download.
  }
}

/** Asks for a rest without its condition, and takes it as what was asked for. */
const blindly =
  ({ request }: Platform): Platform['request'] =>
  async (asked) => {
    const { 'if-range': etag, ...headers } = asked.headers;
    const response = await request({ ...asked, headers });
    return etag === undefined || response.status !== 206
      ? response
      : { ...response, headers: { ...response.headers, etag } };
  };

const withoutParts = ({ files, put }: VirtualDisk): Files => ({
  ...files,
  create: (_folder, name) => {
    let bytes = Buffer.alloc(0);
    return Promise.resolve({
      write: (chunk) => {
        bytes = Buffer.concat([bytes, chunk]);
        put(name, bytes);
        return Promise.resolve();
      },
      commit: () => Promise.resolve(name),
      discard: () => Promise.resolve(),
    });
  },
});

const neverRemoving = (files: Files): Files => ({
  ...files,
  create: async (...args) => ({ ...(await files.create(...args)), discard: () => Promise.resolve() }),
});
