import { connect } from 'node:net';
import { isServerError, type NodeRedisClient } from './node-redis-commands.js';
import type { RedisClient } from './redis-client.js';

/** How long a server may take for its first words, in milliseconds. */
const withinMs = 2_000;

/**
 * What a server says that closes each connection at once: its client reads that as the answer to a question of its own, and drops it.
 *
 * Undefined if it says nothing, and for connections by TLS or Sentinels. Never rejects.
 */
export const firstWords = (client: RedisClient): Promise<string | undefined> =>
  new Promise((resolve) => {
    const target = targetOf(client);
    if (target === undefined) {
      resolve(undefined);
      return;
    }
    const socket = connect(target);
    const end = (words?: string): void => {
      socket.destroy();
      resolve(words);
    };
    socket.setTimeout(withinMs, () => end());
    socket.on('error', () => end());
    socket.on('close', () => end());
    socket.on('data', (data) => end(meaningOf(data)));
    socket.write('PING\r\n');
  });

const alert = 0x15;

const meaningOf = (data: Buffer): string | undefined => {
  if (data[0] === alert && data[1] === 3) return 'the port answers in TLS';
  const [line = ''] = data.toString('latin1').split('\r\n');
  if (line.startsWith('HTTP/')) return 'the port answers in HTTP';
  const words = line.slice(1, 200);
  return line.startsWith('-') && isServerError(new Error(words)) ? words : undefined;
};

type Target = { readonly path: string } | { readonly host: string; readonly port: number };

/** Of either package: ioredis has the place among its options, node-redis in those of its socket. */
const targetOf = (client: RedisClient): Target | undefined => {
  const options = (client as NodeRedisClient).options as Options | undefined;
  const { host = 'localhost', port = 6379, path } = options?.socket ?? options ?? {};
  const { tls } = options?.socket ?? options ?? {};
  if ((tls !== undefined && tls !== false) || options?.sentinels != null) return undefined;
  return typeof path === 'string' ? { path } : { host, port };
};

interface Place {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string | null;
  readonly tls?: unknown;
}

interface Options extends Place {
  readonly socket?: Place;
  readonly sentinels?: unknown;
}
