import { filter, firstValueFrom, Subscription } from 'rxjs';
import type { Client } from '../../src/client/client-types.js';
import { createClient, type JobState } from '../../src/node.js';
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
  const watching = new Subscription();
  let started = 0;
  const startSome = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      await new Promise<void>((resolve, reject) => {
        watching.add(client.run(workflow).subscribe(new Watcher(tick, resolve, reject)));
      });
    }
  };
  await Promise.all(Array.from({ length: startedAtOnce }, startSome));
  return {
    close: () => {
      watching.unsubscribe();
      return client.close();
    },
  };
};

/** As many as a client has connections for; more would only measure those. */
const startedAtOnce = 16;

/** Little of its own, so that what a job holds is the job's. */
class Watcher {
  private isAccepted = false;
  private readonly tick: () => void;
  private accepted: (() => void) | undefined;
  readonly error: (error: unknown) => void;

  constructor(tick: () => void, accepted: () => void, error: (error: unknown) => void) {
    this.tick = tick;
    this.accepted = accepted;
    this.error = error;
  }

  next({ phase }: JobState): void {
    if (this.isAccepted) this.tick();
    else if (phase !== 'submitting') {
      this.isAccepted = true;
      this.accepted?.();
      this.accepted = undefined;
    }
  }
}

const workflow = { 3: { class_type: 'KSampler', inputs: {} } };
