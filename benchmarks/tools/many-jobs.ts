import { filter, firstValueFrom, from, lastValueFrom, mergeMap, Subject, takeUntil, tap } from 'rxjs';
import type { Client } from '../../src/client-types.js';
import { createClient } from '../../src/node.js';
import type { Connected } from './way.js';

/** A client for a service that accepts everything; its socket is open when this resolves. */
export const connectedClient = async (baseUrl: string): Promise<Client> => {
  const client = createClient({ baseUrl, apiKey: 'comfyui-0123456789abcdef', tier: 'unlimited' });
  const held = client.frames.subscribe({ error: () => undefined });
  await firstValueFrom(client.connection.pipe(filter(({ _tag }) => _tag === 'open')));
  // The socket lingers, and whoever watches a job keeps it.
  held.unsubscribe();
  return client;
};

/** Runs jobs that never end, each with a subscriber of its own, who ticks for each state after the first ones. */
export const watchJobs = async (client: Client, count: number, tick: () => void): Promise<Connected> => {
  const leave = new Subject<void>();
  let watching = 0;
  const all = new Subject<void>();
  const accepted = lastValueFrom(all.pipe(takeUntil(leave)), { defaultValue: undefined });
  from(Array.from({ length: count }, (_, index) => index))
    .pipe(
      mergeMap(() => {
        let isAccepted = false;
        return client.run(workflow).pipe(
          tap(({ phase }) => {
            if (isAccepted) tick();
            else if (phase !== 'submitting') {
              isAccepted = true;
              watching += 1;
              if (watching === count) all.complete();
            }
          }),
          takeUntil(leave),
        );
      }),
    )
    .subscribe({ error: () => undefined });
  await accepted;
  return {
    close: () => {
      leave.next();
      return client.close();
    },
  };
};

const workflow = { 3: { class_type: 'KSampler', inputs: {} } };
