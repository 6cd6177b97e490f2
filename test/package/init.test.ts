import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, consumer } from '../helpers/consumer.js';
import { root } from '../../scripts/entries.mjs';

const run = promisify(execFile);

describe('a project that promptwire init writes', () => {
  let project: Consumer;
  let folder: string;
  const npm = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    run('npm', ['run', '--silent', ...args], {
      cwd: folder,
      env: { ...process.env, NO_UPDATE_NOTIFIER: '1' },
    });
  beforeAll(async () => {
    project = await consumer({ types: true });
    const command = join(project.folder, 'node_modules', 'promptwire', 'dist', 'cli', 'main.js');
    folder = join(project.folder, 'pictures');
    await run(process.execPath, [command, 'init', folder]);
    // What `npm install` would bring, without a network: packages are found in the folder above.
    const bin = join(folder, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await symlink(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), join(bin, 'tsc'));
    await symlink(join(root, 'node_modules', 'esbuild', 'bin', 'esbuild'), join(bin, 'esbuild'));
    // The declarations are rolled up first, which takes a while where others work.
  }, 240_000);
  afterAll(() => project[Symbol.asyncDispose]());

  it('builds, and its script makes a picture of a prompt', async () => {
    const { stdout, stderr } = await npm('script', '--', 'a forest at night');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^completed 100 %\nSave .*\.png$/mu);
    expect(await readdir(join(folder, 'outputs'))).toHaveLength(1);
  }, 120_000);

  it('has a test that passes, and a batch', async () => {
    expect((await npm('test')).stdout).toMatch(/^# pass 1$|ℹ pass 1$/mu);
    const { stdout } = await npm('batch');
    expect(stdout.match(/^picture \d: completed$/gmu)).toHaveLength(6);
  }, 120_000);

  it('serves its page and runs the template of it', async () => {
    const server = spawn(process.execPath, ['dist/server.js'], {
      cwd: folder,
      env: { ...process.env, PORT: '0' },
    });
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
    const address = line.trim();
    expect(await (await fetch(address)).text()).toContain('<title>pictures</title>');
    expect((await (await fetch(`${address}/page.js`)).text()).length).toBeGreaterThan(10_000);
    const submitted = await fetch(`${address}/templates/picture`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ inputs: { prompt: 'a lighthouse' } }),
    });
    expect(submitted.status).toBe(201);
    server.kill('SIGINT');
    expect(await once(server, 'exit')).toEqual([0, null]);
  });
});
