import { keysBelow } from './keys-below.js';
import { mendQueueScript } from './scripts/generated/scripts.js';
import type { MendOptions } from './mend-records.js';
import { runScript } from './script.js';

/** Mends the lists of a queue that are of another type, as somebody may have made them. */
export interface QueueMender {
  /** Looks at the keys of the whole queue before it is used: one short step where they are well. */
  readonly look: () => Promise<void>;
  /** The same calls; one that meets a key of another type is made again once the queue is mended. */
  readonly around: <Calls extends object>(calls: Calls) => Calls;
}

/**
 * Sets aside each key of a queue that is of another type, as `damaged:KEY`, and enters the jobs in its lists again by their records.
 *
 * Every call would fail on such a key until somebody removes it. The step is atomic; with 10,000 jobs it takes the server about 0.1 s. It
 * goes by the names of all keys, which it asks for where it found damage alone, as a shared server may have many.
 */
export const queueMender = ({ redis, name, onDamage }: MendOptions): QueueMender => {
  const prefix = `{promptwire:${name}}:`;
  const step = async (names?: readonly string[]): Promise<number> =>
    Number(await runScript(redis, mendQueueScript, prefix, names === undefined ? '' : JSON.stringify(names)));
  const mendAll = async (found: number): Promise<void> => {
    const names = await keysBelow(redis, prefix);
    const all = found + (await step(names.filter((key) => ofJobs.test(key))));
    if (all === 0) return;
    const what = all === 1 ? 'A key' : `${all} keys`;
    onDamage(
      `${what} of the queue ${name} held something else: that is kept in ${prefix}damaged:KEY, and the lists follow the records of the jobs again.`,
    );
  };
  let mending: Promise<void> | undefined;
  const mend = (): Promise<void> => (mending ??= mendAll(0).finally(() => (mending = undefined)));

  const again =
    (call: Call): Call =>
    (...args) => {
      const answer = call(...args);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch(async (error: unknown) => {
        if (!isOfAnotherType(error)) throw error;
        await mend();
        return call(...args);
      });
    };
  return {
    look: async () => {
      const found = await step();
      if (found > 0) await mendAll(found);
    },
    around: (calls) =>
      Object.fromEntries(
        Object.entries(calls).map(([member, call]: readonly [string, unknown]) => [
          member,
          typeof call === 'function' ? again(call as Call) : call,
        ]),
      ) as typeof calls,
  };
};

type Call = (...args: readonly unknown[]) => unknown;

/** The names of keys that a script looks at one by one. */
const ofJobs = /^(?:job|waiting|open|on|has|file|file-jobs|worker|images):/u;

/** Whether a call failed since a key holds something of another type. */
export const isOfAnotherType = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('WRONGTYPE');
