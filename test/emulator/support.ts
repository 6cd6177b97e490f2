import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator.js';

/** A JSON value that tests look into. */
export type Data = Record<string, unknown>;

/** Starts an emulator without delays that ends with the test. */
export const open = async (options: EmulatorOptions = {}): Promise<Emulator> => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
};

/** An answer of the API, its body read. */
export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Data;
  readonly bytes: Buffer;
}

/** Calls the API with the emulator's key, or with the headers given. */
export const call = async (
  emulator: Emulator,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'x-api-key': emulator.apiKey },
): Promise<Called> => {
  const response = await fetch(emulator.baseUrl + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : textOf(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const read = isJson ? (JSON.parse(bytes.toString()) as Data) : {};
  return { status: response.status, headers: response.headers, body: read, bytes };
};

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** Submits a workflow and gives its id. */
export const submit = async (emulator: Emulator, prompt: unknown, more: Data = {}): Promise<string> => {
  const { body } = await call(emulator, 'POST', '/api/prompt', { prompt, ...more });
  return String(body['prompt_id']);
};

/** A message of the socket; binary ones are named `binary:TYPE` and come with what follows their header. */
export interface Received {
  readonly type: string;
  readonly data: Data;
  readonly bytes?: Buffer;
}

/** A socket that keeps everything it hears. */
export interface Listener {
  readonly socket: WebSocket;
  readonly heard: readonly Received[];
  /** The first message, of those heard already or yet to come, that matches. */
  readonly until: (type: string, match?: (data: Data) => boolean) => Promise<Received>;
}

/** Opens a socket and waits for its first message; with `flags` also for the handshake's answer. */
export const listen = async (
  emulator: Emulator,
  { token = emulator.apiKey, flags }: { readonly token?: string; readonly flags?: Data } = {},
): Promise<Listener> => {
  const socket = new WebSocket(`${emulator.wsUrl}/ws?clientId=test&token=${token}`);
  const heard: Received[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    heard.push(isBinary ? readBinary(data) : (JSON.parse(data.toString()) as Received));
    for (const look of waiting) look();
  });
  const until: Listener['until'] = (type, match = () => true) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = heard.find((message) => message.type === type && match(message.data));
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  if (flags) {
    socket.send(JSON.stringify({ type: 'feature_flags', data: flags }));
    await until('feature_flags');
  }
  return { socket, heard, until };
};

const readBinary = (frame: Buffer): Received => {
  const type = frame.readUInt32BE(0);
  if (type !== 4) return { type: `binary:${type}`, data: {}, bytes: frame.subarray(4) };
  const end = 8 + frame.readUInt32BE(4);
  return {
    type: 'binary:4',
    data: JSON.parse(frame.subarray(8, end).toString()) as Data,
    bytes: frame.subarray(end),
  };
};

/** Waits for the end of a job on a socket that heard its beginning. */
export const ended = (listener: Listener, promptId: string): Promise<Received> =>
  listener.until('executing', (data) => data['prompt_id'] === promptId && data['node'] === null);

/** Runs a workflow to its end and gives the id, and what the socket heard meanwhile. */
export const runToEnd = async (
  emulator: Emulator,
  prompt: unknown,
  more: Data = {},
): Promise<{ readonly promptId: string; readonly heard: readonly Received[] }> => {
  const listener = await listen(emulator);
  const promptId = await submit(emulator, prompt, more);
  await ended(listener, promptId);
  listener.socket.close();
  return { promptId, heard: listener.heard };
};

/** A workflow that runs for minutes at speed 20. */
export const endless = { '1': { class_type: 'SlowNode', inputs: { steps: 100_000 } } };

/** A workflow of one node with text output. */
export const quick = { '1': { class_type: 'SlowNode', inputs: { steps: 2 } } };

/** A workflow that fails with the exception type given. */
export const failing = (type: string): Data => ({
  '1': { class_type: 'FailOnPurpose', inputs: { exception_type: type, message: 'as ordered' } },
});
