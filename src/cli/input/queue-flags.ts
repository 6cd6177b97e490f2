import type { CliIo } from '../cli-io.js';
import { commandWarning } from '../command-options.js';
import type { Command } from 'commander';
import { UsageError } from '../cli-io.js';

/** The options of every command with a queue. */
export interface QueueFlags {
  readonly redis?: string | undefined;
  readonly name: string;
  readonly maxWorkflowBytes?: number | undefined;
}

/** Adds the options of {@link QueueFlags}. */
export const withQueue = (command: Command): Command =>
  command
    .option('--redis <url>', 'address of the Redis server, in place of PROMPTWIRE_REDIS_URL')
    .option('--name <name>', 'name of the queue: one account, one queue', 'promptwire');

/** How long a command waits for Redis, in milliseconds. */
const connectWithinMs = 10_000;

/** Where the options of a queue come from, and where its secrets and warnings go. */
interface QueueSource {
  readonly io: Pick<CliIo, 'env'>;
  readonly addSecret: (secret: string) => void;
  readonly report: (event: { readonly kind: 'warning'; readonly message: string }) => void;
}

/** Whether flags or environment name a Redis server. */
export const namesRedis = (
  { io: { env } }: Pick<QueueSource, 'io'>,
  { redis }: Pick<QueueFlags, 'redis'>,
): boolean => (redis ?? env['PROMPTWIRE_REDIS_URL'] ?? '').trim() !== '';

/** The options of a queue from flags and environment; a password in the address is kept out of all output. */
export const readQueue = (
  { io: { env }, addSecret, report }: QueueSource,
  { redis, name, maxWorkflowBytes }: QueueFlags,
) => {
  const connection = (redis ?? env['PROMPTWIRE_REDIS_URL'])?.trim() ?? '';
  if (connection === '') {
    throw new UsageError(
      'no Redis server is named: set PROMPTWIRE_REDIS_URL, for example redis://127.0.0.1:6379',
    );
  }
  const url = URL.canParse(connection) ? new URL(connection) : undefined;
  if (url?.protocol !== 'redis:' && url?.protocol !== 'rediss:') {
    throw new UsageError('the address of the Redis server begins with redis:// or rediss://');
  }
  if (url.password !== '') addSecret(passwordOf(url));
  const onWarning = (message: string): void => report({ kind: 'warning', message: commandWarning(message) });
  return { connection, name, connectWithinMs, onWarning, maxWorkflowBytes };
};

const passwordOf = ({ password }: URL): string => {
  try {
    return decodeURIComponent(password);
  } catch {
    throw new UsageError(
      'the password in the address of the Redis server has a % that escapes nothing: write it as %25',
    );
  }
};
