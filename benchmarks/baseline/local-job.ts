import { once } from 'node:events';
import { Agent, request } from 'undici';
import type { FloorRunner } from './end-to-end.js';
import { WebSocket } from 'ws';

/**
 * The floor of a job of a local server with a file: a POST, the word on the socket that no node runs, by which the record is
 * written, its record, and the bytes of each file that it names.
 */
export const localFloorRunner = async (baseUrl: string, wsUrl: string): Promise<FloorRunner> => {
  const dispatcher = new Agent({ connections: 64 });
  const socket = new WebSocket(`${wsUrl}/ws?clientId=floor`, { perMessageDeflate: false });
  const over = new Set<string>();
  const waiting = new Map<string, () => void>();
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const { type, data: told } = JSON.parse((data as Buffer).toString()) as Message;
    if (type !== 'executing' || told.node !== null) return;
    over.add(told.prompt_id);
    waiting.get(told.prompt_id)?.();
  });
  await once(socket, 'open');

  const end = (promptId: string): Promise<void> =>
    new Promise((resolve) => {
      if (over.has(promptId)) resolve();
      else waiting.set(promptId, resolve);
    });
  const ask = async (path: string): Promise<Answer> =>
    (await request(`${baseUrl}${path}`, { dispatcher })).body;

  return {
    run: async (workflow) => {
      const accepted = await request(`${baseUrl}/api/prompt`, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: workflow, client_id: 'floor' }),
      });
      const { prompt_id: promptId } = (await accepted.body.json()) as { readonly prompt_id: string };
      await end(promptId);
      over.delete(promptId);
      waiting.delete(promptId);
      const history = (await (await ask(`/api/history/${promptId}`)).json()) as History;
      const files = Object.values(history[promptId]?.outputs ?? {}).flatMap((node) =>
        Object.values(node).flat(),
      );
      let bytes = 0;
      for (const { filename, subfolder, type } of files) {
        const query = new URLSearchParams({ filename, subfolder, type }).toString();
        bytes += (await (await ask(`/api/view?${query}`)).arrayBuffer()).byteLength;
      }
      return bytes;
    },
    close: async () => {
      socket.terminate();
      await dispatcher.destroy();
    },
  };
};

type Answer = Awaited<ReturnType<typeof request>>['body'];

interface Message {
  readonly type: string;
  readonly data: { readonly prompt_id: string; readonly node?: string | null };
}

interface File {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

type History = Readonly<
  Record<string, { readonly outputs: Readonly<Record<string, Readonly<Record<string, readonly File[]>>>> }>
>;
