import { execFile, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundledFile } from '../../helpers/bundle-program.js';
import { sinks } from '../../helpers/sinks.js';
import { strictFlags } from '../play-range.js';

/** A server in a process of its own: what it holds is not its client's. */
export interface ServerProcess extends AsyncDisposable {
  /** What it sent when it was ready. */
  readonly address: string;
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<void>;
  readonly ask: <Answer>(question: Serializable) => Promise<Answer>;
}

const node = ['--expose-gc', ...strictFlags];

/** Starts a program that sends its address, then answers each message with one. */
export const startServer = async (program: URL, args: readonly string[] = []): Promise<ServerProcess> => {
  const child = fork(await bundledFile(fileURLToPath(program)), args, { execArgv: node });
  const died = once(child, 'exit').then(([code]): never => {
    throw new Error(`${program.pathname} ended with ${String(code)}`);
  });
  died.catch(() => undefined);
  const nextMessage = async <Answer>(): Promise<Answer> => {
    const [answer] = (await Promise.race([once(child, 'message'), died])) as [Answer];
    return answer;
  };
  return {
    address: await nextMessage<string>(),
    ask: (question) => {
      const answer = nextMessage<never>();
      child.send(question);
      return answer;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await died.catch(() => undefined);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await died.catch(() => undefined);
    },
  };
};

/** Runs a program in a fresh process and reads the JSON that it writes. */
export const askProgram = async <Answer>(program: URL, args: readonly string[]): Promise<Answer> => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...node, await bundledFile(fileURLToPath(program)), ...args],
    {
      maxBuffer: 16 * 1024 * 1024,
      timeout: 120_000,
    },
  );
  sinks.program(`the program ${basename(program.pathname)}`, { stdout, stderr });
  return JSON.parse(stdout) as Answer;
};
