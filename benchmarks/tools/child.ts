import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';

/** A process of our own that answers questions, one after the other. */
export interface Child {
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
      process.send(question);
      const [answer] = (await Promise.race([answered, died])) as [Answer];
      return answer;
    },
    end: async () => {
      process.kill();
      await died.catch(() => undefined);
    },
  };
};

/** Asks a new process one question: nothing that ran before is in its memory. */
export const askFreshProcess = async <Answer>(name: string, question: Serializable): Promise<Answer> => {
  const child = startChild(name);
  try {
    return await child.ask<Answer>(question);
  } finally {
    await child.end();
  }
};
