import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { processorMs } from './active-time.js';
import type { FilePlayed, Play, Played, Stage } from './player.js';

/** Plays tests in another process, which is replaced where it does not answer in time. */
export class Players {
  private child: ChildProcess | undefined;

  private readonly stage: Stage;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Undefined where a file was not played within its processor time, or can't be; `withinMs` gives each file its time. */
  async play(asked: Play, withinMs: (file: string) => number): Promise<Played | undefined> {
    const isFresh = this.child === undefined;
    const played = await this.once(asked, withinMs);
    if (played !== undefined && !played.isStray) return played;
    this.end();
    // An earlier mutant may have left it behind, so it counts only in a fresh process.
    return isFresh ? played : this.play(asked, withinMs);
  }

  end(): void {
    if (this.child?.pid !== undefined) killGroup(this.child.pid);
    this.child = undefined;
  }

  private async once(asked: Play, withinMs: (file: string) => number): Promise<Played | undefined> {
    const child = (this.child ??= await started(this.stage));
    return new Promise((resolve) => {
      let at = 0;
      let began = processorMs(child.pid ?? 0);
      const timer = setInterval(() => {
        if (processorMs(child.pid ?? 0) - began > withinMs(asked.files[at]?.file ?? '')) finish();
      }, 250);
      const finish = (played?: Played): void => {
        clearInterval(timer);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(played);
      };
      child.on('exit', () => finish());
      child.on('message', (message: Played | FilePlayed) => {
        if ('file' in message) {
          at += 1;
          began = processorMs(child.pid ?? 0);
        } else {
          finish(message);
        }
      });
      child.send(asked);
    });
  }
}

/** Ends a player with what its tests have started, as a Redis server: the group is its own. */
const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself, and nothing of its group is left.
  }
};

const started = async (stage: Stage): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, 'player.ts'), {
    // An endless loop that gathers something ends by itself.
    detached: true,
    execArgv: ['--import', 'tsx', '--expose-gc', '--max-old-space-size=600'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.send(stage);
  return child;
};
