import { describe, expect, it } from 'vitest';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { png, pngText } from '../workflow/metadata/write-pictures.js';
import { textToImageWorkflow } from '../../src/emulator.js';
import { type Workspace, workspace } from './helpers/workspace.js';

const small = textToImageWorkflow({ steps: 1, width: 64, height: 64 });

const submissions = ({ emulator }: Workspace): readonly unknown[] =>
  emulator.requests
    .filter(({ method, url }) => method === 'POST' && url.startsWith('/api/prompt'))
    .map(({ body }) => (JSON.parse(body ?? '') as { prompt: unknown }).prompt);

describe('promptwire run PICTURE', () => {
  it('runs the workflow that a saved picture carries, from a file and from standard input', async () => {
    const there = await workspace();
    const { cli, dir, file } = there;
    const first = cli(['run', await file('wf.json', small), '--out', join(dir, 'first')]);
    expect(await first.exit).toBe(0);
    const picture = first.stdout().trim().split('\n')[0] ?? '';

    expect(await cli(['run', picture, '--set', '3.seed=8', '--out', dir]).exit).toBe(0);
    expect(await cli(['run', '-', '--out', dir], { stdin: createReadStream(picture) }).exit).toBe(0);

    const [original, reseeded, again] = submissions(there) as (typeof small)[];
    expect(again).toEqual(original);
    expect(reseeded).toEqual({
      ...original,
      3: { ...original?.['3'], inputs: { ...original?.['3']?.inputs, seed: 8 } },
    });
  });

  it('leaves out what the cache of another run went by', async () => {
    const there = await workspace();
    const { cli, dir, file } = there;
    const marked = Object.entries(small).map(([id, node]) => [id, { ...node, is_changed: ['then'] }]);
    const text = JSON.stringify(Object.fromEntries(marked)).replace('["then"]', '[NaN]');

    const picture = await file('a.png', png([pngText('prompt', text)]));
    expect(await cli(['run', picture, '--out', dir]).exit).toBe(0);

    expect(submissions(there)).toEqual([small]);
  });

  it.each([
    ['carries no workflow', png([]), 'is a file of the format png that carries no workflow'],
    ['is cut off', png([pngText('prompt', '{}')]).subarray(0, 45), "can't be searched: The file ends before"],
    [
      'carries something else',
      png([pngText('prompt', '{"1": ')]),
      "can't be searched: Its prompt is not valid JSON.",
    ],
  ])('refuses one that %s before anything is sent', async (_, picture, message) => {
    const { cli, file, asked } = await workspace();
    const running = cli(['run', await file('a.png', picture)]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(message);
    expect(asked()).toEqual([]);
  });
});
