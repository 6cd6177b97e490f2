import { WebSocket } from 'ws';
import type { Emulator, EmulatorOptions } from '../../../src/emulator.js';
import { call, endless, open, type Called, type Data } from '../support.js';

/** A local server without delays that ends with the test. */
export const openLocal = (options: EmulatorOptions = {}): Promise<Emulator> =>
  open({ dialect: 'local', ...options });

/** A message of a local socket, with its text as it came. */
export interface Heard {
  readonly type: string;
  readonly data: Data;
  readonly text: string;
}

/** A socket of a client id that keeps everything it hears; binary frames are named `binary:TYPE`. */
export interface LocalListener {
  readonly socket: WebSocket;
  readonly heard: readonly Heard[];
  readonly until: (type: string, match?: (data: Data) => boolean) => Promise<Heard>;
  /** The message types so far, without `status` and `progress_state`. */
  readonly types: () => readonly string[];
  /** A ping and its answer: all messages sent before have arrived by then. */
  readonly settle: () => Promise<void>;
}

/** Opens a socket at `/ws`, without waiting for a message unless `onHello`. */
export const listenLocal = async (
  emulator: Emulator,
  clientId: string,
  path = '/ws',
): Promise<LocalListener> => {
  const socket = new WebSocket(`${emulator.wsUrl}${path}?clientId=${encodeURIComponent(clientId)}`);
  const heard: Heard[] = [];
  const looks = new Set<() => void>();
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    heard.push(isBinary ? binary(data) : textual(data.toString()));
    for (const look of looks) look();
  });
  const until: LocalListener['until'] = (type, match = () => true) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = heard.find((message) => message.type === type && match(message.data));
        if (!found) return;
        looks.delete(look);
        resolve(found);
      };
      looks.add(look);
      look();
    });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const types = (): readonly string[] =>
    heard.map(({ type }) => type).filter((type) => type !== 'status' && type !== 'progress_state');
  const settle = (): Promise<void> =>
    new Promise((resolve) => {
      socket.once('pong', () => resolve());
      socket.ping();
    });
  return { socket, heard, until, types, settle };
};

const binary = (frame: Buffer): Heard => ({ type: `binary:${frame.readUInt32BE(0)}`, data: {}, text: '' });

const textual = (text: string): Heard => {
  const known = text.replace(/-?\b(NaN|Infinity)\b/g, 'null');
  return { ...(JSON.parse(known) as { readonly type: string; readonly data: Data }), text };
};

/** Posts a prompt as a client; the whole answer. */
export const post = (
  emulator: Emulator,
  prompt: unknown,
  clientId?: unknown,
  more: Data = {},
): Promise<Called> =>
  call(emulator, 'POST', '/prompt', {
    prompt,
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...more,
  });

/** Asks for a job's record; `undefined` while there is none. */
export const record = async (emulator: Emulator, promptId: string): Promise<Data | undefined> => {
  const { body } = await call(emulator, 'GET', `/history/${promptId}`);
  return body[promptId] as Data | undefined;
};

/** Runs a prompt to its end on a socket of its own, and gives what that heard. */
export const runLocal = async (
  emulator: Emulator,
  prompt: unknown,
  more: Data = {},
): Promise<{ readonly promptId: string; readonly listener: LocalListener }> => {
  const listener = await listenLocal(emulator, `runner-${(runners += 1)}`);
  const { body } = await post(emulator, prompt, `runner-${runners}`, more);
  const promptId = String(body['prompt_id']);
  await listener.until('executing', (data) => data['node'] === null && data['prompt_id'] === promptId);
  return { promptId, listener };
};

let runners = 0;

const idsOf = (tuples: unknown): readonly unknown[] => (tuples as unknown[][]).map(([, id]) => id);

/** The ids that run and that wait. */
export const queue = async (
  emulator: Emulator,
): Promise<Record<'running' | 'pending', readonly unknown[]>> => {
  const { body } = await call(emulator, 'GET', '/queue');
  return { running: idsOf(body['queue_running']), pending: idsOf(body['queue_pending']) };
};

/** A server that is busy with one job, and the socket that follows it. */
export const busy = async () => {
  const emulator = await openLocal({ speed: 20 });
  const listener = await listenLocal(emulator, 'busy');
  const { body } = await post(emulator, endless, 'busy', { prompt_id: 'running' });
  await listener.until('progress');
  return { emulator, listener, promptId: String(body['prompt_id']) };
};
