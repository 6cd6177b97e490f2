import { describe, expect, it } from 'vitest';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { textToImageWorkflow } from '../../src/emulator.js';
import { workspace } from './helpers/workspace.js';

const good = () => textToImageWorkflow({ steps: 1, width: 64, height: 64 });
const sampler = () => Object.entries(good()).find(([, { class_type }]) => class_type === 'KSampler')!;
const withInputs = (inputs: object) => {
  const [id, node] = sampler();
  return { ...good(), [id]: { ...node, inputs: { ...node.inputs, ...inputs } } };
};
const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('promptwire validate', () => {
  it('accepts a workflow without problems, and submits nothing', async () => {
    const { cli, file, asked } = await workspace();
    const command = cli(['validate', await file('good.json', good())]);
    expect(await command.exit).toBe(0);
    expect(command.stdout()).toBe('Accepted: 0 errors, 0 warnings\n');
    expect(asked()).toEqual(['GET /api/object_info']);
  });

  it('prints each problem and what the service would do', async () => {
    const { cli, file } = await workspace();
    const command = cli(['validate', '--json', await file('bad.json', withInputs({ steps: 0, sed: 1 }))]);
    expect(await command.exit).toBe(5);
    expect(lines(command.stdout())).toMatchObject([
      {
        kind: 'problem',
        nodeId: sampler()[0],
        input: 'steps',
        type: 'value_smaller_than_min',
        severity: 'error',
      },
      { kind: 'problem', type: 'unknown_input', severity: 'warning' },
      { kind: 'verdict', verdict: 'refused', errors: 1, warnings: 1 },
      { kind: 'end', exit: 'invalidWorkflow' },
    ]);
  });

  it('M9: warns of a value that the list of a class of another package lacks, and run sends it', async () => {
    const { cli, file, asked } = await workspace();
    const selector = {
      class_type: 'SamplerSelector',
      inputs: { sampler_name: 'of-the-pack', scheduler: 'normal' },
    };
    const path = await file('pack.json', {
      ...withInputs({ sampler_name: ['selector', 0] }),
      selector,
    });
    const validating = cli(['validate', path, '--json']);
    expect(await validating.exit).toBe(0);
    expect(lines(validating.stdout())).toMatchObject([
      { kind: 'problem', type: 'value_not_in_list', severity: 'warning', serverOnly: true },
      { kind: 'verdict', verdict: 'accepted', errors: 0, warnings: 1 },
      { kind: 'end', exit: 'done' },
    ]);
    const running = cli(['run', path]);
    // The emulator's class checks nothing itself, so the list counts.
    expect(await running.exit).toBe(5);
    expect(running.stderr()).toContain('of-the-pack');
    expect(asked()).toContain('POST /api/prompt');
  });

  it('repairs a file in place, and standard input on standard output', async () => {
    const { cli, file, dir } = await workspace();
    const path = await file('bad.json', withInputs({ steps: 0 }));
    expect(await cli(['validate', '--fix', path]).exit).toBe(0);
    const repaired = JSON.parse(await readFile(path, 'utf8')) as ReturnType<typeof good>;
    expect(repaired).toEqual(withInputs({ steps: 1 }));
    expect((await readdir(dir)).filter((name) => name.startsWith('bad'))).toEqual(['bad.json']);

    const piped = cli(['validate', '--fix', '-', '--json'], {
      stdin: JSON.stringify(withInputs({ steps: 0 })),
    });
    expect(await piped.exit).toBe(0);
    expect(lines(piped.stdout())[0]).toEqual({ kind: 'fixed', fixes: 1, workflow: withInputs({ steps: 1 }) });
  });

  it('repairs what a repair uncovers, and says what remains', async () => {
    const { cli, file } = await workspace();
    const [id, node] = sampler();
    const inputs = Object.entries(node.inputs).filter(([name]) => name !== 'steps');
    const misspelt = {
      ...good(),
      [id]: { ...node, inputs: { ...Object.fromEntries(inputs), stps: 0, sampler_name: 'zzzzzzzz' } },
    };
    const command = cli(['validate', '--fix', '-', '--json'], { stdin: JSON.stringify(misspelt) });
    expect(await command.exit).toBe(5);
    expect(lines(command.stdout())).toMatchObject([
      { kind: 'fixed', fixes: 2, workflow: { [id]: { inputs: { steps: 1 } } } },
      { kind: 'problem', input: 'sampler_name', severity: 'error' },
      { kind: 'verdict', errors: 1 },
      { kind: 'end' },
    ]);
    const path = await file('good.json', good());
    const before = await readFile(path, 'utf8');
    expect(await cli(['validate', '--fix', path]).exit).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('says of a file of the editor that can not be converted only why', async () => {
    const { cli, file } = await workspace();
    const node = { id: 1, type: 'Anything Everywhere' };
    const path = await file('ui.json', { nodes: [node], links: [], version: 0.4 });
    const command = cli(['validate', '--json', path]);
    expect(await command.exit).toBe(5);
    const problems = lines(command.stdout()).filter(({ kind }) => kind === 'problem');
    expect(problems.map(({ type }) => type)).not.toContain('prompt_no_outputs');
    expect(problems).toMatchObject([{ nodeId: '1', severity: 'error' }]);
    expect(lines(command.stdout())).toContainEqual(expect.objectContaining({ verdict: 'refused' }));
  });

  it('repairs a file with a bare NaN, which Python writes', async () => {
    const { cli, stdin } = { ...(await workspace()), stdin: JSON.stringify(withInputs({ cfg: 'bare' })) };
    const command = cli(['validate', '--fix', '-'], { stdin: stdin.replace('"bare"', 'NaN') });
    expect(await command.exit).not.toBe(1);
    expect(command.stderr()).not.toContain('JSON');
  });

  it('repairs no file that holds more than the workflow', async () => {
    const { cli, file } = await workspace();
    const path = await file('wrapped.json', { prompt: withInputs({ steps: 0 }), client_id: 'me' });
    expect(await cli(['validate', path]).exit).toBe(5);
    expect(await cli(['validate', '--fix', path]).exit).toBe(2);
    expect(JSON.parse(await readFile(path, 'utf8'))).toHaveProperty('client_id');
  });
});

describe('promptwire run', () => {
  it('submits nothing that has an error, unless it is not to check', async () => {
    const { cli, file, asked } = await workspace();
    const path = await file('bad.json', withInputs({ steps: 0 }));
    const command = cli(['run', path]);
    expect(await command.exit).toBe(5);
    expect(command.stderr()).toContain('steps is 0, below its minimum of 1.');
    expect(asked()).toEqual(['GET /api/object_info']);
    expect(await cli(['run', '--no-validate', path]).exit).toBe(5);
    expect(asked()).toContain('POST /api/prompt');
  });

  it('keeps the node classes for ten minutes, and fetches them again before it refuses', async () => {
    const { cli, file, asked, stateDir } = await workspace();
    const fetches = () => asked().filter((request) => request === 'GET /api/object_info').length;
    const path = await file('good.json', good());
    for (let run = 0; run < 2; run += 1) expect(await cli(['validate', path]).exit).toBe(0);
    expect(fetches()).toBe(1);
    expect(await cli(['validate', await file('bad.json', withInputs({ steps: 0 }))]).exit).toBe(5);
    expect(fetches()).toBe(2);

    const folder = join(stateDir, 'definitions');
    const [name = ''] = await readdir(folder);
    const longAgo = new Date(Date.now() - 11 * 60 * 1000);
    await utimes(join(folder, name), longAgo, longAgo);
    expect(await cli(['validate', path]).exit).toBe(0);
    expect(fetches()).toBe(3);
  });

  it('H21: keeps the node classes of each account apart, and those of no key that is gone', async () => {
    const { cli, file, asked, stateDir } = await workspace();
    const fetches = () => asked().filter((request) => request === 'GET /api/object_info').length;
    const path = await file('good.json', good());
    const accounts = [
      [],
      ['--key-file', await file('other-key', 'sesame-of-another')],
      ['--workspace', 'ws-1'],
      ['--header', 'x-tenant: b'],
    ];
    for (const [index, flags] of accounts.entries()) {
      await cli(['validate', path, ...flags]).exit;
      expect([flags, fetches()]).toEqual([flags, index + 1]);
    }
    expect(await cli(['validate', path]).exit).toBe(0);
    expect(fetches()).toBe(accounts.length);

    const folder = join(stateDir, 'definitions');
    const longAgo = new Date(Date.now() - 11 * 60 * 1000);
    for (const name of await readdir(folder)) await utimes(join(folder, name), longAgo, longAgo);
    expect(await cli(['validate', path]).exit).toBe(0);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('says once of a service without node classes that it checks nothing', async () => {
    const { cli, file } = await workspace({ dialect: 'v2' });
    const path = await file('good.json', good());
    const first = cli(['run', '--dialect', 'v2', '--detach', path]);
    expect(await first.exit).toBe(0);
    expect(first.stderr()).toContain('the workflow was not checked');
    const second = cli(['run', '--dialect', 'v2', '--detach', path]);
    expect(await second.exit).toBe(0);
    expect(second.stderr()).not.toContain('not checked');
  });

  it('takes an upload for what it fills in later', async () => {
    const { cli, file } = await workspace();
    const picture = await file('cat.png', new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]));
    const path = await file('copy.json', {
      '1': { class_type: 'LoadImage', inputs: {} },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'copy' } },
    });
    const command = cli(['run', path, '--upload', `1.image=${picture}`, '--detach']);
    expect(await command.exit).toBe(0);
  });
});
