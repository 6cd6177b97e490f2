import { filter, firstValueFrom } from 'rxjs';
import { createClient } from '../../src/node.js';
import type { ListeningWay } from './way.js';

/** Ours: the frames of a client. */
export const promptwireSocket: ListeningWay = async ({ baseUrl }, tick) => {
  const client = createClient({ baseUrl, apiKey: 'comfyui-0123456789abcdef' });
  const subscription = client.frames.subscribe(tick);
  await firstValueFrom(client.connection.pipe(filter(({ _tag }) => _tag === 'open')));
  return {
    close: () => {
      subscription.unsubscribe();
      return client.close();
    },
  };
};
