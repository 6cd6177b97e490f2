import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket, type RawData } from 'ws';
import { isObject, object, text } from './shape.js';
import type { Target } from './target.js';

/** A text message, already read as the envelope of [2.12.2]. */
export interface TextMessage {
  readonly kind: 'text';
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A binary message as it came. */
interface BinaryMessage {
  readonly kind: 'binary';
  readonly bytes: Buffer;
}

/** Everything that a socket can bring. */
export type Message = TextMessage | BinaryMessage;

/** What to open a socket with. */
interface SocketRequest {
  /** Flags of the handshake; none is made without them. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Another token; `null` for none. */
  readonly token?: string | null;
  /** The id of the socket; default a new one. */
  readonly clientId?: string;
}

/** An open socket and everything that it has brought so far. */
export interface LiveSocket extends AsyncDisposable {
  readonly messages: readonly Message[];
  /** False once the service has closed it. */
  readonly isOpen: () => boolean;
  /** Resolves with the code when the service closes it. */
  readonly closed: () => Promise<number>;
  readonly send: (message: string | Buffer) => void;
  /** Resolves after everything that the service had sent before it read this. */
  readonly settle: () => Promise<void>;
  /** The first message, past or future, of which this holds. */
  readonly find: (what: string, holds: (message: Message) => boolean) => Promise<Message>;
}

/** Opens a socket of the account; fails with the status where the upgrade is refused. */
export const openSocket = async (target: Target, request: SocketRequest = {}): Promise<LiveSocket> => {
  const { flags, token = target.apiKey, clientId = randomUUID() } = request;
  const query = new URLSearchParams({ clientId, ...(token !== null && { token }) });
  const socket = new WebSocket(`${target.wsUrl}/ws?${query.toString()}`, {
    perMessageDeflate: false,
    handshakeTimeout: target.patienceMs,
  });
  const messages: Message[] = [];
  const failures: unknown[] = [];
  const readers = new Set<() => void>();
  socket.on('message', (data, isBinary) => {
    try {
      messages.push(readMessage(data, isBinary));
    } catch (error) {
      failures.push(error);
    }
    for (const reader of readers) reader();
  });
  await once(socket, 'open');
  let code = 0;
  socket.on('close', (given) => (code = given));
  socket.on('error', (error) => failures.push(error));
  if (flags !== undefined) socket.send(JSON.stringify({ type: 'feature_flags', data: flags }));
  const failIfBroken = (): void => {
    if (failures.length > 0) throw failures[0] as Error;
  };
  return {
    messages,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    closed: async () => {
      if (socket.readyState !== WebSocket.CLOSED)
        await once(socket, 'close', { signal: AbortSignal.timeout(target.patienceMs) });
      return code;
    },
    send: (message) => socket.send(message),
    settle: async () => {
      if (socket.readyState !== WebSocket.OPEN) return;
      const pong = once(socket, 'pong', { signal: AbortSignal.timeout(target.patienceMs) });
      socket.ping();
      await pong;
      failIfBroken();
    },
    find: async (what, holds) => {
      const deadline = AbortSignal.timeout(target.patienceMs);
      for (;;) {
        failIfBroken();
        const found = messages.find(holds);
        if (found !== undefined) return found;
        assert.ok(!deadline.aborted, `${what} comes over the socket`);
        await nextMessage(readers, deadline);
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.terminate();
      await once(socket, 'close');
    },
  };
};

/** The events of a type, of one job where its id is given. */
export const eventsOf = (
  messages: readonly Message[],
  type: string,
  promptId?: string,
): readonly TextMessage[] =>
  messages.filter(
    (message): message is TextMessage =>
      message.kind === 'text' &&
      message.type === type &&
      (promptId === undefined || message.data['prompt_id'] === promptId),
  );

/** The binary frames of a type. */
export const framesOf = (messages: readonly Message[], type: number): readonly Buffer[] =>
  messages
    .filter((message): message is BinaryMessage => message.kind === 'binary')
    .map(({ bytes }) => bytes)
    .filter((bytes) => bytes.length >= 4 && bytes.readUInt32BE(0) === type);

/** Whether a message ends this job. */
export const endsJob = (message: Message, promptId: string): boolean =>
  message.kind === 'text' &&
  message.data['prompt_id'] === promptId &&
  (message.type === 'execution_success' ||
    message.type === 'execution_interrupted' ||
    (message.type === 'execution_error' && message.data['exception_type'] !== 'ExecutionBlocked'));

const readMessage = (data: RawData, isBinary: boolean): Message => {
  assert.ok(Buffer.isBuffer(data));
  if (isBinary) return { kind: 'binary', bytes: data };
  const envelope = object(JSON.parse(data.toString()) as unknown, 'a text message');
  assert.ok(isObject(envelope['data']), `data of ${String(envelope['type'])} is an object`);
  return { kind: 'text', type: text(envelope['type'], 'type of a text message'), data: envelope['data'] };
};

const nextMessage = (readers: Set<() => void>, deadline: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      readers.delete(done);
      deadline.removeEventListener('abort', done);
      resolve();
    };
    readers.add(done);
    deadline.addEventListener('abort', done);
  });
