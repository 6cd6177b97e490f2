import { once } from 'node:events';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';

/** A script that runs jobs and reads their outputs. */
export interface FloorRunner {
  readonly run: (workflow: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The floor: one socket, a POST, the job's end on the socket, its history; nothing else may happen. */
export const floorRunner = async (baseUrl: string, wsUrl: string, apiKey: string): Promise<FloorRunner> => {
  const dispatcher = new Agent({ connections: 64 });
  const headers = { 'x-api-key': apiKey };
  const socket = new WebSocket(`${wsUrl}/ws?clientId=floor&token=${apiKey}`, { perMessageDeflate: false });
  const ended = new Set<string>();
  const waiting = new Map<string, () => void>();
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const { type, data: told } = JSON.parse((data as Buffer).toString()) as Message;
    if (type !== 'execution_success') return;
    ended.add(told.prompt_id);
    waiting.get(told.prompt_id)?.();
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
        body: JSON.stringify({ prompt: workflow }),
      });
      const { prompt_id: promptId } = (await accepted.body.json()) as { readonly prompt_id: string };
      await end(promptId);
      ended.delete(promptId);
      waiting.delete(promptId);
      const history = await request(`${baseUrl}/api/history_v2/${promptId}`, { dispatcher, headers });
      return ((await history.body.json()) as { readonly outputs: unknown }).outputs;
    },
    close: async () => {
      socket.terminate();
      await dispatcher.destroy();
    },
  };
};

interface Message {
  readonly type: string;
  readonly data: { readonly prompt_id: string };
}
