import { mkdir, readFile } from 'node:fs/promises';
import { type CliIo, UsageError } from '../cli-io.js';
import { createFile } from '../create-file.js';
import { errorCode } from '../error-code.js';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { refuseOpenFile } from './private-file.js';

/** Where the secret of watch tickets may come from. */
export interface WatchSecretPlaces {
  /** A file that holds it. */
  readonly file: string | undefined;
  /** The folder of `--data`, where it is kept if nothing else names it. */
  readonly data: string | undefined;
}

/**
 * Reads the secret that signs watch tickets: from the file, from PROMPTWIRE_WATCH_SECRET, or from the folder of the data, where the first
 * start makes one. Undefined without file, variable and folder: a restart then ends the tickets.
 */
export const readWatchSecret = async (
  { env }: Pick<CliIo, 'env'>,
  { file, data }: WatchSecretPlaces,
): Promise<Uint8Array | undefined> => {
  if (file !== undefined) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new UsageError(`can't read ${file} (${errorCode(error) ?? 'unknown reason'})`);
    });
    await refuseOpenFile(file, 'secret');
    return secretOf(text, file);
  }
  const own = env['PROMPTWIRE_WATCH_SECRET'];
  if (own !== undefined) return secretOf(own, 'PROMPTWIRE_WATCH_SECRET');
  return data === undefined ? undefined : secretOf(await keptIn(data), join(data, secretFile));
};

const secretFile = 'watch-secret';

/** The secret of a folder, created if the folder has none yet; if two processes create one at once, both use the same. */
const keptIn = async (folder: string): Promise<string> => {
  const path = join(folder, secretFile);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await createFile(path, `${randomBytes(32).toString('base64url')}\n`);
  } catch (error) {
    throw new UsageError(`can't write ${path} (${errorCode(error) ?? 'unknown reason'})`);
  }
  await refuseOpenFile(path, 'secret').catch((error: unknown) => {
    throw error instanceof UsageError
      ? new UsageError(`${error.message}, or set PROMPTWIRE_WATCH_SECRET`)
      : error;
  });
  return readFile(path, 'utf8');
};

const secretOf = (text: string, source: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text.trim());
  if (bytes.length >= 32) return bytes;
  throw new UsageError(
    `the secret in ${source} is short: use 32 characters or more, such as of "openssl rand -base64 32"`,
  );
};
