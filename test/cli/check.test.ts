import { describe, expect, it } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { workspace } from './helpers/workspace.js';

const node = (class_type: string, inputs: object = {}) => ({ class_type, inputs });
const save = (id: string) => node('SaveImage', { images: [id, 0], filename_prefix: 'a' });
const picture = node('EmptyImage', { width: 64, height: 64, batch_size: 1, color: 0 });
const paid = { 1: node('PartnerImageNode', { prompt: 'a cat', seed: 1 }), 2: save('1') };

describe('promptwire check', () => {
  it('says of a workflow with everything there that it runs, and submits nothing', async () => {
    const { cli, file, asked } = await workspace();
    const command = cli(['check', await file('good.json', { 1: picture, 2: save('1') })]);
    expect(await command.exit).toBe(0);
    expect(command.stdout()).toBe('Accepted\n');
    expect(asked().toSorted()).toEqual(['GET /api/features', 'GET /api/object_info']);
  });

  it('prints what is missing, with the pack, the address and the folder of the file', async () => {
    const { cli, file } = await workspace();
    const ui = {
      nodes: [{ id: 7, type: 'Glow', properties: { cnr_id: 'acme-glow' }, inputs: [], outputs: [] }],
      links: [],
      models: [{ name: 'up.pth', directory: 'checkpoints', url: 'https://models.example/up' }],
      version: 0.4,
    };
    const command = cli(['check', await file('ui.json', ui)]);
    expect(await command.exit).toBe(5);
    expect(command.stdout().split('\n')).toEqual([
      'Class missing: Glow (node 7), pack acme-glow',
      'Model missing: up.pth, folder checkpoints, from https://models.example/up',
      'Refused',
      '',
    ]);
    expect(command.stderr()).toContain('Glow');
  });

  it('says of a service without node classes that it does not know', async () => {
    const { cli, file } = await workspace({ dialect: 'v2' });
    const lora = node('LoraLoaderModelOnly', { lora_name: 'night.safetensors' });
    const command = cli(['check', await file('v2.json', { 1: lora, 2: save('1') }), '--dialect', 'v2']);
    expect(await command.exit).toBe(2);
    expect(command.stdout().split('\n')).toEqual([
      'Model unknown: night.safetensors (1.lora_name)',
      'Unknown: the service gives no node classes',
      '',
    ]);
  });

  it('names the files to upload with their size, from the folder of the workflow or another', async () => {
    const { cli, file, dir } = await workspace({ switches: { maxUploadBytes: 3000 } });
    await file('cat.png', 'x'.repeat(3001));
    const workflow = await file('load.json', { 1: node('LoadImage', { image: 'cat.png' }), 2: save('1') });
    const command = cli(['check', workflow]);
    expect(await command.exit).toBe(5);
    expect(command.stdout()).toBe(
      'To upload: cat.png (1.image), 3.0 kB of at most 3.0 kB: too large\nRefused\n',
    );
    const elsewhere = cli(['check', workflow, '--files', `${dir}/none`, '--json']);
    expect(await elsewhere.exit).toBe(0);
    expect(jsonLines(elsewhere.stdout()).find(({ kind }) => kind === 'preflight')).toMatchObject({
      uploads: [{ nodeId: '1', input: 'image', name: 'cat.png' }],
      verdict: 'accepted',
    });
  });

  it('ends with billing where the plan refuses the paid nodes', async () => {
    const { cli, file } = await workspace({ profile: '2026-11', switches: { partnerNodes: 'refused' } });
    const command = cli(['check', await file('paid.json', paid)]);
    expect(await command.exit).toBe(4);
    expect(command.stdout()).toBe(
      'Paid: node 1 (PartnerImageNode), price {"type":"usd","usd":0.04}\nPlan: refuses paid nodes\nRefused\n',
    );
  });

  it('prints the classes that the service replaces, and what gets lost', async () => {
    const { cli, file } = await workspace({ profile: '2026-11' });
    const workflow = { 1: picture, 2: { ...save('1'), class_type: 'DropInputsOnPurpose' } };
    const command = cli(['check', await file('old.json', workflow)]);
    expect(await command.exit).toBe(5);
    expect(command.stdout()).toBe(
      'Class replaced: node 2 (DropInputsOnPurpose) becomes SaveImage, without images, filename_prefix\nRefused\n',
    );
  });
});

describe('a class that the service replaces', () => {
  const resize = { images: ['1', 0], longer_edge: 32 };
  const old = { 1: picture, 2: node('ResizeImagesByLongerEdge', resize), 3: save('2') };

  it.each([['run', '--detach'], ['validate'], ['check'], ['run', '--detach', '--target', '3']])(
    'is there for %s',
    async (name, ...more) => {
      const { cli, file } = await workspace({ profile: '2026-11' });
      const command = cli([name, await file('old.json', old), ...more]);
      expect([await command.exit, command.stderr()]).toMatchObject([
        0,
        expect.not.stringContaining('Resize'),
      ]);
    },
  );

  it.each(['run', 'validate', 'check'])('is missing for %s at a service that replaces none', async (name) => {
    const { cli, file, asked } = await workspace();
    const command = cli([name, await file('old.json', old)]);
    expect(await command.exit).toBe(5);
    expect(asked()).not.toContain('POST /api/prompt');
  });
});

describe('a workflow with paid nodes', () => {
  it('is not run without a terminal, and is with --allow-paid', async () => {
    const { cli, file, asked } = await workspace();
    const path = await file('paid.json', paid);
    for (const more of [[], ['--no-validate']]) {
      const refused = cli(['run', path, ...more]);
      expect(await refused.exit).toBe(2);
      expect(refused.stderr()).toContain('a paid node: node 1 (PartnerImageNode)');
      expect(refused.stderr()).toContain('--allow-paid');
    }
    expect(asked()).not.toContain('POST /api/prompt');
    const allowed = cli(['run', path, '--allow-paid', '--detach']);
    expect(await allowed.exit).toBe(0);
    // A target that needs none of them costs nothing.
    const both = await file('both.json', { ...paid, 3: picture, 4: save('3') });
    expect(await cli(['run', both, '--target', '4', '--detach']).exit).toBe(0);
  });

  it.each([
    ['yes\n', 0],
    ['n\n', 2],
    ['', 2],
  ])('is asked about at a terminal: %j', async (stdin, exit) => {
    const { cli, file, asked } = await workspace();
    const command = cli(['run', await file('paid.json', paid), '--detach'], { stdin, asks: true });
    expect(await command.exit).toBe(exit);
    expect(command.stderr()).toContain('Submit it? [y/N]');
    expect(asked().includes('POST /api/prompt')).toBe(exit === 0);
  });
});
