import { expireFilesScript, putFileScript } from './scripts/generated/scripts.js';
import { packImage, readPacked } from './packed-image.js';
import { redisCommands, type RedisClient } from '../redis/redis-client.js';
import { readStoredJson } from './read-stored-json.js';
import { runScript } from './script.js';

/** Bytes and what they are. */
export interface StoredFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The input files of the jobs of a queue over servers, each once by its hash, and which servers have them. */
export interface FileStore {
  /** Whether the queue has a file; one that it has counts as used now. */
  readonly has: (hash: string) => Promise<boolean>;
  readonly put: (hash: string, file: StoredFile) => Promise<void>;
  readonly get: (hash: string) => Promise<StoredFile | undefined>;
  /** The value by which a workflow names the file on a server; undefined if the server has not got it. */
  readonly valueOn: (server: string, hash: string) => Promise<unknown>;
  readonly noteOn: (server: string, hash: string, value: unknown) => Promise<void>;
  /** Forgets that a server has these files. */
  readonly forgetOn: (server: string, hashes: readonly string[]) => Promise<void>;
  /** Forgets files that no open job names: those unused for so long, and the longest unused ones beyond so many bytes. */
  readonly expire: (ageMs: number, keepBytes: number) => Promise<void>;
}

/** How many files one step looks at. */
const batch = 200;

/** Keeps the files in Redis, beside the jobs. */
export const redisFileStore = ({
  redis,
  name,
}: {
  readonly redis: RedisClient;
  readonly name: string;
}): FileStore => {
  const prefix = `{promptwire:${name}}:`;
  const { send, sendForBytes } = redisCommands(redis);
  return {
    has: async (hash) => (await runScript(redis, putFileScript, prefix, hash, '')) === 1,
    put: async (hash, file) => {
      await runScript(redis, putFileScript, prefix, hash, packImage(file));
    },
    get: async (hash) => readPacked(await sendForBytes('GET', `${prefix}file:${hash}`)),
    valueOn: async (server, hash) => {
      const text = (await send('HGET', `${prefix}has:${server}`, hash)) as string | null;
      return text === null ? undefined : readStoredJson(text);
    },
    noteOn: async (server, hash, value) => {
      await send('HSET', `${prefix}has:${server}`, hash, JSON.stringify(value));
    },
    forgetOn: async (server, hashes) => {
      await send('HDEL', `${prefix}has:${server}`, ...hashes);
    },
    expire: async (ageMs, keepBytes) => {
      await runScript(redis, expireFilesScript, prefix, batch, ageMs, keepBytes);
    },
  };
};
