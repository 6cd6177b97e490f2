import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { streamedPictures } from '../../src/cli/commands/streamed-pictures.js';
import type { CliEvent } from '../../src/cli/report/cli-event.js';
import type { Session } from '../../src/cli/run-command.js';
import { textToImageWorkflow, virtualClock } from '../../src/emulator.js';
import { jsonLines } from './helpers/json-lines.js';
import { workspace } from './helpers/workspace.js';

const whole = textToImageWorkflow({ steps: 2, width: 64, height: 64 });
const size = whole['5'];
const workflow = {
  ...Object.fromEntries(Object.entries(whole).filter(([nodeId]) => !['9', '10'].includes(nodeId))),
  '5': { ...size, inputs: { ...size?.inputs, batch_size: 2 } },
  '11': { class_type: 'SaveImageWebsocket', inputs: { images: ['8', 0] }, _meta: { title: 'Stream' } },
};

describe('pictures of SaveImageWebsocket of a job that was submitted before', () => {
  const setting = async () => {
    const clock = virtualClock();
    const place = await workspace({ clock, speed: 1 });
    const out = join(place.dir, 'out');
    const path = await place.file('wf.json', workflow);
    const argv = ['run', path, '--set', '3.steps=10', '--job-key', 'k', '--out', out];
    const detached = place.cli([...argv, '--detach']);
    expect(await detached.exit).toBe(0);
    return { ...place, clock, out, argv, promptId: detached.stdout().trim() };
  };

  it('are saved by a rerun with its job key', async () => {
    const { cli, clock, out, argv } = await setting();
    const running = cli([...argv, '--json']);
    await running.printed('"state"');
    await clock.advance(60_000);
    expect(await running.exit).toBe(0);
    expect((await readdir(out)).sort()).toEqual(['Stream-1.png', 'Stream-2.png']);
  });

  it('are saved by a follow, which reads the workflow in the queue', async () => {
    const { asked, cli, clock, out, promptId } = await setting();
    const following = cli(['follow', promptId, '--out', out, '--json']);
    await following.printed('"state"');
    while (!asked().includes('GET /api/queue')) await clock.advance(5);
    await clock.advance(60_000);
    expect(await following.exit).toBe(0);
    expect((await readdir(out)).sort()).toEqual(['Stream-1.png', 'Stream-2.png']);
    const lines = jsonLines(following.stdout());
    expect(lines.filter(({ kind }) => kind === 'saved')).toMatchObject([
      { nodeId: '11', type: 'websocket' },
      { nodeId: '11', type: 'websocket' },
    ]);
    expect(lines.filter(({ kind }) => kind === 'warning')).toEqual([]);
    expect(asked().filter((request) => request === 'GET /api/queue')).toHaveLength(1);
  });
});

it('M6: a streamed picture has the extension of its own format', async () => {
  const { dir } = await workspace({});
  const reported: CliEvent[] = [];
  const session = { report: (event: CliEvent) => void reported.push(event) } as unknown as Session;
  const pictures = streamedPictures(session, {
    promptId: 'p',
    out: join(dir, 'out'),
    findWorkflow: () => Promise.resolve({ '11': workflow['11'] }),
  });
  for (const mediaType of ['image/jpeg', 'image/webp', 'image/png']) {
    pictures.next({ _tag: 'Preview', mediaType, image: Uint8Array.of(1), nodeId: '11' }, undefined);
  }
  await pictures.settled();
  expect((await readdir(join(dir, 'out'))).sort()).toEqual(['Stream-1.jpg', 'Stream-2.webp', 'Stream-3.png']);
});

describe.each(['cloud', 'local'] as const)('pictures of SaveImageWebsocket, %s', (dialect) => {
  const setting = async (submitted: object = workflow) => {
    const { cli, dir, file } = await workspace({ dialect });
    const out = join(dir, 'out');
    const path = await file('wf.json', submitted);
    return {
      out,
      call: (argv: readonly string[]) => cli(['run', path, '--dialect', dialect, '--out', out, ...argv]),
    };
  };

  it('are saved as they come, whole, under readable names or those of the pattern', async () => {
    const { call, out } = await setting();
    const running = call(['--json']);
    expect(await running.exit).toBe(0);
    expect((await readdir(out)).sort()).toEqual(['Stream-1.png', 'Stream-2.png']);
    for (const name of await readdir(out)) {
      const { width, height } = PNG.sync.read(await readFile(join(out, name)));
      expect([width, height]).toEqual([64, 64]);
    }
    const lines = jsonLines(running.stdout());
    expect(lines.filter(({ kind }) => kind === 'saved')).toMatchObject(
      [1, 2].map((index) => ({ nodeId: '11', type: 'websocket', path: join(out, `Stream-${index}.png`) })),
    );
    expect(lines.filter(({ kind }) => kind === 'warning')).toEqual([]);
    expect(await call(['--name', '{seed}-{index}']).exit).toBe(0);
    expect((await readdir(out)).sort().slice(0, 2)).toEqual(['42-1.png', '42-2.png']);
  });

  it('can not be had by a rerun of the same job, which says so', async () => {
    const { call, out } = await setting({ ...workflow, '9': whole['9']! });
    expect(await call(['--job-key', 'k']).exit).toBe(0);
    const again = call(['--job-key', 'k']);
    expect(await again.exit).toBe(0);
    expect((await readdir(out)).filter((name) => name.startsWith('Stream'))).toHaveLength(2);
    expect(again.stderr()).toMatch(
      /Warning: .* pictures? of node 11 \(Stream\) (?:is|are) not here: .*keeps none/u,
    );
  });
});
