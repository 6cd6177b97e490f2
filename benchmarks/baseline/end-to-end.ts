import { once } from 'node:events';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';

/** A script that runs jobs and reads their outputs. */
export interface FloorRunner {
  readonly run: (workflow: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The service that the script runs its jobs at; an engine has no key. */
export interface FloorService {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly apiKey?: string;
}

/** The floor: one socket, a POST, the job's end on the socket, its history; nothing else may happen. */
export const floorRunner = async ({ baseUrl, wsUrl, apiKey }: FloorService): Promise<FloorRunner> => {
  const { sent, ended: endOf, outputs } = apiKey === undefined ? engine : cloud;
  const dispatcher = new Agent({ connections: 64 });
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const token = apiKey === undefined ? '' : `&token=${apiKey}`;
  const socket = new WebSocket(`${wsUrl}/ws?clientId=${clientId}${token}`, { perMessageDeflate: false });
  const ended = new Set<string>();
  const waiting = new Map<string, () => void>();
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const promptId = endOf(JSON.parse((data as Buffer).toString()) as Message);
    if (promptId === undefined) return;
    ended.add(promptId);
    waiting.get(promptId)?.();
  });
  await once(socket, 'open');

  const end = (promptId: string): Promise<void> =>
    new Promise((resolve) => {
      if (ended.has(promptId)) resolve();
      else waiting.set(promptId, resolve);
    });

  return {
    run: async (workflow) => {
      const accepted = await request(`${baseUrl}/api/prompt`, {
        dispatcher,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: workflow, ...sent }),
      });
      const { prompt_id: promptId } = (await accepted.body.json()) as { readonly prompt_id: string };
      await end(promptId);
      ended.delete(promptId);
      waiting.delete(promptId);
      const history = await request(`${baseUrl}${outputs.path}/${promptId}`, { dispatcher, headers });
      return outputs.of(await history.body.json(), promptId);
    },
    close: async () => {
      socket.terminate();
      await dispatcher.destroy();
    },
  };
};

interface Message {
  readonly type: string;
  readonly data: { readonly prompt_id: string; readonly node?: string | null };
}

const clientId = 'floor';

/** Where the two kinds of service differ: what is sent beside the workflow, by which word the record is there, and where it stands. */
interface Way {
  readonly sent: object;
  readonly ended: (message: Message) => string | undefined;
  readonly outputs: { readonly path: string; readonly of: (history: unknown, promptId: string) => unknown };
}

const cloud: Way = {
  sent: {},
  ended: ({ type, data }) => (type === 'execution_success' ? data.prompt_id : undefined),
  outputs: { path: '/api/history_v2', of: (history) => (history as Recorded).outputs },
};

/** An engine sends a job's events to the socket of its submission, and writes the record before it says that no node runs. */
const engine: Way = {
  sent: { client_id: clientId },
  ended: ({ type, data }) => (type === 'executing' && data.node === null ? data.prompt_id : undefined),
  outputs: {
    path: '/api/history',
    of: (history, promptId) => (history as Readonly<Record<string, Recorded>>)[promptId]?.outputs,
  },
};

interface Recorded {
  readonly outputs: unknown;
}
