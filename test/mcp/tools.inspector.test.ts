import { bundledFile } from '../helpers/bundle-program.js';
import { describeWith } from '../helpers/describe-with.js';
import { findProgram, installed } from '../helpers/find-program.js';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmulator } from '../../src/emulator.js';

const root = join(import.meta.dirname, '..', '..');
const main = join(root, 'src', 'cli', 'main.ts');

/** The inspector needs Node 22.19 or later; `.ci/run` installs both. */
const program = (): string | undefined => {
  if (installed === undefined) return findProgram('mcp-inspector');
  const path = join(installed, 'inspector', 'node_modules', '.bin', 'mcp-inspector');
  return existsSync(path) ? path : undefined;
};

const node =
  installed === undefined
    ? process.execPath
    : join(installed, 'node-24', 'node_modules', 'node', 'bin', 'node');

describeWith('the inspector of the Model Context Protocol', program(), (inspector) => {
  const inspect = async (env: readonly string[], ...args: readonly string[]): Promise<unknown> => {
    const command = [process.execPath, await bundledFile(main, { withPackages: true }), 'mcp'];
    const flags = env.flatMap((pair) => ['-e', pair]);
    // It ends with a code where a tool says that it failed, and prints what the tool said all the same.
    const { stdout } = await promisify(execFile)(node, [inspector, '--cli', ...flags, ...command, ...args], {
      cwd: root,
    }).catch((failed: unknown) => failed as { readonly stdout: string });
    return JSON.parse(stdout) as unknown;
  };

  it('lists the tools of the command, calls one, and is told what is wrong with a workflow', async () => {
    const emulator = await startEmulator({ dialect: 'local' });
    onTestFinished(() => emulator.close());
    const env = ['PROMPTWIRE_DIALECT=local', `PROMPTWIRE_BASE_URL=${emulator.baseUrl}`];
    const listed = await inspect(env, '--method', 'tools/list');
    expect(listed).toMatchObject({ tools: { length: 11 } });
    const call = ['--method', 'tools/call', '--tool-name'];
    const described = await inspect(env, ...call, 'describe_node', '--tool-arg', 'class=KSampler');
    expect(described).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('steps') as unknown }],
    });
    const refused = await inspect(
      env,
      ...call,
      'run_workflow',
      '--tool-arg',
      'workflow={"1":{"class_type":"No"}}',
    );
    expect(refused).toMatchObject({ isError: true });
  });
});
