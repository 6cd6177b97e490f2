import { checkedGateway } from '../gateway/openapi/checked-gateway.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { execFile } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InputFetcher } from '../../src/gateway.js';
import { playedTarget, secret } from '../gateway/webhooks/support.js';
import { PNG } from 'pngjs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { textToImageWorkflow } from '../../src/emulator.js';
import { tmpdir } from 'node:os';

const run = promisify(execFile);
const guide = join(import.meta.dirname, '..', '..', 'docs', 'guide', 'other-languages.md');

/** The commands of the guide that ask the gateway for jobs, as they stand. */
const commands = [...(await readFile(guide, 'utf8')).matchAll(/^```sh\n(curl [^`]*)```$/gmu)]
  .map(([, text = '']) => text)
  .filter((text) => text.includes('Prefer'));

const workflow = Object.fromEntries(
  Object.entries(textToImageWorkflow({ steps: 2, width: 32, height: 32 })).map(([id, node]) => {
    const titles: Readonly<Record<string, string>> = { CLIPTextEncode: 'Positive', SaveImage: 'Save' };
    const title = titles[node.class_type];
    return [id, title === undefined || id === '7' ? node : { ...node, _meta: { title } }];
  }),
);

/** Files of another host: each is a picture. */
const pictures: InputFetcher = {
  fetch: () =>
    Promise.resolve({
      ...{ status: 200, mediaType: 'image/png', discard: () => undefined },
      body: Readable.from([PNG.sync.write(new PNG({ width: 16, height: 16 }))]),
    }),
};

describeWith('curl', findProgram('curl'), () => {
  it.each(commands.map((text) => [text.split('\n', 1).join(), text]))('%s', async (_, text) => {
    const target = playedTarget();
    await using gateway = await checkedGateway({
      ...{ authorize: () => ({ name: 'ann' }), webhooks: { sender: target } },
      inputs: { fetcher: pictures, origins: ['https://files.example'] },
    });
    const folder = await mkdtemp(join(tmpdir(), 'curl-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'workflow.json'), JSON.stringify(workflow));
    await writeFile(join(folder, 'photo.png'), PNG.sync.write(new PNG({ width: 16, height: 16 })));
    const before = new Set(await readdir(folder));
    const script = text.replaceAll('http://127.0.0.1:8189', gateway.address);
    await run('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...process.env, WEBHOOK_SECRET: secret },
    });
    const [made = ''] = (await readdir(folder)).filter((name) => !before.has(name));
    const bytes = await readFile(join(folder, made));
    if (made.endsWith('.png')) expect(PNG.sync.read(bytes).width).toBeGreaterThan(0);
    else expect(JSON.parse(String(bytes))).toMatchObject({ state: { phase: 'completed' } });
    expect(gateway.seen.at(-1)).toMatch(/^POST \S+ 200$/u);
    if (text.includes('"webhook"'))
      expect((await target.got(1)).map(({ url }) => url)).toContain('https://app.example/done');
    expect(await gateway.problems()).toEqual([]);
  });

  it('has lines to run', () => {
    expect(commands.length).toBeGreaterThanOrEqual(9);
    for (const what of [
      '"base64"',
      '"url": "https://files',
      '"webhook"',
      'on-leave=cancel',
      'Idempotency-Key',
    ])
      expect(commands.some((text) => text.includes(what))).toBe(true);
  });
});
