import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Emulator, startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { startCli } from '../cli/helpers/start-cli.js';
import { failingWorkflow, slowWorkflow } from '../cli/helpers/workflows.js';
import { canaryKey } from '../helpers/canaries.js';
import { encodingsOf } from '../helpers/canary.js';
import { inParallel } from '../helpers/in-parallel.js';
import { sinks } from '../helpers/sinks.js';

/** One command of a careless person against a careless service. */
interface SecretCase {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the service says instead of its answer to one request. */
  readonly says?: readonly [method: string, path: string, status: number];
}

const key = canaryKey('of-the-command');

/**
 * Runs commands with the key in this process and shows what they print, the records and files that they leave, and what
 * the emulator reports of its jobs; the service gives the key back in the form of each of the encodings in turn.
 */
export const runSecretCommands = async (): Promise<{ readonly commands: number; readonly files: number }> => {
  let [commands, files] = [0, 0];
  const encodings = encodingsOf(key);
  await inParallel(encodings, encodings.length, async ([encoding, form]) => {
    const dir = await mkdtemp(join(tmpdir(), 'promptwire-s8-'));
    const emulator = await startEmulator({
      speed: Infinity,
      acceptKeys: [key],
      switches: { historyLagMs: 0 },
    });
    try {
      const workflows = await writeWorkflows(dir, form);
      for (const [index, { argv, env, says }] of casesOf(dir, workflows, emulator).entries()) {
        if (says !== undefined) emulator.answerOnce(says[0], says[1], refusalOf(says[2], form));
        const running = startCli(argv, {
          env: { ...envOf(dir, emulator), ...env },
          isTTY: index % 3 === 0,
        });
        if (argv[0] === 'emulate') await running.printed('http').then(() => running.signal('SIGINT'));
        await running.exit;
        commands += 1;
        const [stdout, stderr] = [running.stdout(), running.stderr()];
        sinks.text(`${argv[0]} (${encoding}), standard output`, stdout);
        sinks.text(`${argv[0]} (${encoding}), standard error`, stderr);
      }
      const left = await showFiles(dir, workflows);
      files += left;
      const { jobs, sockets, faults } = emulator.ledger;
      sinks.value('the ledger of the emulator', { jobs, sockets, faults });
    } finally {
      await emulator.close();
      await rm(dir, { recursive: true, force: true });
    }
  });
  return { commands, files };
};

const envOf = (dir: string, { baseUrl, wsUrl }: Emulator): Readonly<Record<string, string>> => ({
  PROMPTWIRE_STATE_DIR: join(dir, 'state'),
  PROMPTWIRE_BASE_URL: baseUrl,
  PROMPTWIRE_WS_URL: wsUrl,
  PROMPTWIRE_API_KEY: key,
});

interface Workflows {
  readonly picture: string;
  readonly slow: string;
  readonly fails: string;
}

/** These hold the key themselves, so they are no sink. */
const writeWorkflows = async (dir: string, form: string): Promise<Workflows> => {
  const write = async (name: string, workflow: object): Promise<string> => {
    const path = join(dir, `${name}.workflow`);
    await writeFile(path, JSON.stringify(workflow), { mode: 0o600 });
    return path;
  };
  return {
    picture: await write('picture', textToImageWorkflow({ steps: 1, width: 64, height: 64 })),
    slow: await write('slow', slowWorkflow(2)),
    fails: await write('fails', failingWorkflow('OOMError', `token=${form} ${key}`)),
  };
};

const casesOf = (
  dir: string,
  { picture, slow, fails }: Workflows,
  emulator: Emulator,
): readonly SecretCase[] => {
  const out = ['--out', join(dir, 'out')];
  const withKey = (url: string): string => url.replace('//', `//${encodeURIComponent(key)}:x@`);
  return [
    { argv: ['run', picture, ...out, '--job-key', key] },
    { argv: ['run', picture, ...out, '--job-key', key, '--json'] },
    { argv: ['run', fails] },
    { argv: ['run', fails, '--json'] },
    { argv: ['run', slow], says: ['POST', '/api/prompt', 400] },
    { argv: ['run', slow, '--json'], says: ['POST', '/api/prompt', 401] },
    { argv: ['run', slow, '--json'], says: ['POST', '/api/prompt', 500] },
    { argv: ['run', picture, ...out], says: ['GET', '/api/view', 403] },
    { argv: ['user'], says: ['GET', '/api/user', 403] },
    { argv: ['queue', '--json'], says: ['GET', '/api/queue', 418] },
    { argv: ['nodes'], says: ['GET', '/api/object_info', 200] },
    { argv: ['status', key] },
    { argv: ['cancel', key, '--json'] },
    { argv: ['nodes', key] },
    { argv: ['run', slow], env: { PROMPTWIRE_BASE_URL: withKey(emulator.baseUrl) } },
    { argv: ['run', slow], env: { PROMPTWIRE_BASE_URL: `http://[::g]/?token=${key}` } },
    { argv: ['run', slow], env: { PROMPTWIRE_WS_URL: `ws://127.0.0.1:1/?token=${key}` } },
    { argv: ['user'], env: { PROMPTWIRE_API_KEY: `${key} \n${key}` } },
    { argv: ['user', '--api-key', key] },
    { argv: ['emulate', '--accept-key', key] },
    { argv: ['emulate', '--accept-key', key, '--json'] },
  ];
};

const refusalOf = (status: number, form: string) => ({
  status,
  headers: { 'www-authenticate': `Bearer error_description="${form.replace(/[^ -~]/gu, '')}"` },
  body: JSON.stringify({
    error: { type: 'REFUSED', message: `the key ${form}`, details: form },
    node_errors: { 1: { class_type: form, errors: [{ type: 'x', message: form, details: form }] } },
  }),
});

/** Names and contents of all that the commands have left. */
const showFiles = async (dir: string, workflows: Workflows): Promise<number> => {
  const own: readonly string[] = Object.values(workflows as unknown as Record<string, string>);
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const left = entries
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !own.includes(path));
  for (const path of left) {
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    sinks.text('a file that a command left', `${path}\n${content.toString('latin1')}`);
  }
  return left.length;
};
