import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { inspect } from 'node:util';

/** A process of our own that answers questions, one after the other. */
export interface Child {
  /** Rejects where the process ends, and ends it where no answer comes within five minutes. */
  readonly ask: <Answer>(question: Serializable) => Promise<Answer>;
  readonly end: () => Promise<void>;
}

const compiler = new URL('../compile/register.mjs', import.meta.url).href;

/** Starts a file of `benchmarks/children` as a process, with options of Node. */
export const startChild = (name: string, options: readonly string[] = []): Child => {
  const process = fork(new URL(`../children/${name}.ts`, import.meta.url), {
    execArgv: ['--expose-gc', ...options, '--import', compiler],
  });
  const died = once(process, 'exit').then(([code]): never => {
    throw new Error(`${name} ended with ${String(code)}`);
  });
  died.catch(() => undefined);
  return {
    ask: async <Answer>(question: Serializable): Promise<Answer> => {
      const answered = once(process, 'message');
      let timer: NodeJS.Timeout | undefined;
      // A process that can't finish its work would hold up the whole run for ever.
      const isLate = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          process.kill('SIGKILL');
          reject(
            new Error(`${name} did not answer within ${patienceMs / 60_000} minutes: ${shown(question)}`),
          );
        }, patienceMs);
      });
      process.send(question);
      try {
        const [answer] = (await Promise.race([answered, died, isLate])) as [Answer];
        return answer;
      } finally {
        clearTimeout(timer);
      }
    },
    end: async () => {
      process.kill();
      await died.catch(() => undefined);
    },
  };
};

/** Far longer than anything that a process is asked for takes on a slow machine. */
const patienceMs = 5 * 60_000;

const shown = (question: Serializable): string => inspect(question, { breakLength: Infinity }).slice(0, 200);

/** Asks a new process one question: nothing that ran before is in its memory. */
export const askFreshProcess = async <Answer>(
  name: string,
  question: Serializable,
  options: readonly string[] = [],
): Promise<Answer> => {
  const child = startChild(name, options);
  try {
    return await child.ask<Answer>(question);
  } finally {
    await child.end();
  }
};
