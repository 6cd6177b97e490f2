/** An argument of a command. */
export type RedisArgument = string | number | Buffer;

/** The commands that a queue sends by a client of either package. Calls wait while the server is unreachable. */
export interface RedisCommands {
  /** Sends a command; texts of the reply are strings. Rejects with the error of the server, and `Network` where that takes no writes. */
  readonly send: (name: string, ...args: readonly RedisArgument[]) => Promise<unknown>;
  /** Sends a command, and gives its reply as bytes; null for the null reply. */
  readonly sendForBytes: (name: string, ...args: readonly RedisArgument[]) => Promise<Buffer | null>;
  /** Runs a script that the server knows by its digest. */
  readonly evalsha: (
    sha: string,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ) => Promise<unknown>;
  /** Makes a call of the client again that a cut of the connection ended: only for calls that may be repeated. */
  readonly again: <A>(call: () => Promise<A>) => Promise<A>;
  /** Opens a connection that listens to channels. */
  readonly listen: (options: ListenOptions) => RedisListener;
  /** The address of the server, without a password. */
  readonly address: () => string;
  /** Whether the client, and its duplicates, leave a server that has become a replica by themselves. */
  readonly leavesReplicas: boolean;
  /** Leaves the server for the one that its address leads to now. */
  readonly reconnect: () => void;
  /** Ends the connection at once. */
  readonly close: () => void;
}

/** Options of `RedisCommands.listen`. */
export interface ListenOptions {
  /** The channels to listen to whenever the server is there, or is back. */
  readonly channels: () => readonly string[];
  readonly onMessage: (channel: string, message: Buffer) => void;
  /** Called each time that the connection listens from then on, after messages may have been missed. */
  readonly onListening?: (() => void) | undefined;
}

/** A connection that listens. */
export interface RedisListener {
  readonly add: (channel: string) => void;
  readonly remove: (channel: string) => void;
  readonly close: () => void;
}

/** The names and values of a hash, in turn; none where there is no such key, or something else stands there. */
export const hashFields = async (
  { send }: Pick<RedisCommands, 'send'>,
  key: string,
): Promise<readonly string[]> => {
  const reply = (await send('HGETALL', key).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return [];
    throw error;
  })) as readonly string[] | Readonly<Record<string, string>>;
  return Array.isArray(reply) ? (reply as readonly string[]) : Object.entries(reply).flat();
};
