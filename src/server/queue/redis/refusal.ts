import { isServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { RedisCommands } from './redis-commands.js';
import type { ServiceErrorOf } from '../../../core/errors/errors.js';

/** How the words begin with which a server that can be reached takes no writes, or none now. */
const refusing =
  /^-?(?:OOM|READONLY|NOREPLICAS|MISCONF|MASTERDOWN|CLUSTERDOWN|MOVED|ASK|LOADING|BUSY|TRYAGAIN)\b/u;

/** How soon a caller may try again, in milliseconds. */
const retryAfterMs = 5_000;

/** What to do about the words of a server, where they are known. */
export const refusalHint = (words: string): string | undefined =>
  hints.find(([pattern]) => pattern.test(words))?.[1];

const hints: readonly (readonly [words: RegExp, hint: string])[] = [
  [/^-?OOM/u, 'Raise maxmemory of the server, or lower retention: nothing new is taken until it has memory.'],
  [
    /^-?READONLY/u,
    'The server is a replica: the queue connects again until the address leads to the primary.',
  ],
  [/^-?NOREPLICAS/u, 'Bring its replicas back, or lower min-replicas-to-write.'],
  [/^-?MISCONF/u, 'The server can not write to its disk: check space and rights, and its log.'],
  [
    /^-?(?:MOVED|ASK|CLUSTERDOWN|TRYAGAIN)/u,
    'The server is a node of a cluster now, which a queue does not run on.',
  ],
  [/^-?LOADING/u, 'The server reads its data, and answers once it has.'],
  [/^-?MASTERDOWN/u, 'The server is a replica without its primary.'],
  [/^-?BUSY/u, 'A script of another program runs for too long on the server.'],
];

/** The error of a server that takes no writes: nothing was changed, and the call may be made again. */
export type WriteRefusal = ServiceErrorOf<'Network'>;

/** Whether an error is one that {@link refusalOf} made. */
export const isRefusal = (error: unknown): error is WriteRefusal =>
  isServiceError(error) && error._tag === 'Network' && refusing.test(error.code);

/** Whether these are the words of a server that has become a replica, or a node of a cluster, so that the address may lead to another one by now. */
export const isOfReplica = (words: string): boolean => /^(?:READONLY|MOVED)\b/u.test(words);

/** The words of the server. */
export const wordsOf = ({ cause, message }: WriteRefusal): string =>
  refusalWords(cause instanceof Error ? cause.message : message);

/** Makes a `Network` error of the words of a server that takes no writes; any other error stays as it is. */
const refusalOf = (cause: unknown, address: string): unknown => {
  if (isServiceError(cause) || !(cause instanceof Error) || !refusing.test(cause.message)) return cause;
  const words = refusalWords(cause.message);
  const [code = ''] = words.split(' ', 1);
  return serviceError('Network', {
    message: `Redis at ${address} takes no writes now: ${words}.`,
    ...{ hint: refusalHint(words), code, sent: false, retryAfterMs, cause },
  });
};

/** The first sentence of a server's words, without the place in a script. */
export const refusalWords = (message: string): string =>
  message
    .replace(/^-/u, '')
    .replace(/ script: [\s\S]*$/u, '')
    .replace(/[.\s]+$/u, '');

/** The same commands, which reject with a `Network` error where the server takes no writes. */
export const withRefusals = (commands: RedisCommands): RedisCommands => {
  const told = async <A>(answer: Promise<A>): Promise<A> => {
    try {
      return await answer;
    } catch (cause) {
      throw refusalOf(cause, commands.address());
    }
  };
  return {
    ...commands,
    send: (...args) => told(commands.send(...args)),
    sendForBytes: (...args) => told(commands.sendForBytes(...args)),
    evalsha: (...args) => told(commands.evalsha(...args)),
    again: (call) => told(commands.again(call)),
  };
};
