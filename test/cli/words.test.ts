import { describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { slowWorkflow } from './helpers/workflows.js';
import { workspace } from './helpers/workspace.js';

describe('what a command says', () => {
  it('R3: does not say that a job goes on which the service does not know', async () => {
    const { cli } = await workspace();
    const following = cli(['follow', '5b1f0f6e-0000-4000-8000-000000000000']);
    await following.printed('does not know');
    following.signal('SIGINT');
    expect(await following.exit).toBe(130);
    expect(following.stderr()).not.toContain('goes on');
  });

  it('R3: names titles, classes and ids for a node that --set does not find', async () => {
    const { cli, file } = await workspace();
    const running = cli(['run', await file('wf.json', slowWorkflow(1)), '--set', 'zzz.steps=1']);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toMatch(/by its title, its class or its id: .*\(\d+\)/u);
  });

  it('R3: takes the address of the service as --base-url, and keeps node classes by it', async () => {
    const { cli, emulator, file } = await workspace();
    const env = { PROMPTWIRE_BASE_URL: 'http://127.0.0.1:1' };
    const key = await file('key', emulator.apiKey);
    const path = await file('wf.json', slowWorkflow(1));
    for (const argv of [
      ['user'],
      ['queue'],
      ['validate', path],
      ['nodes', 'SlowNode'],
      ['run', path, '--detach'],
    ]) {
      const asking = cli([...argv, '--base-url', emulator.baseUrl, '--key-file', key], { env });
      expect([argv[0], await asking.exit, asking.stderr()]).toEqual([argv[0], 0, expect.anything()]);
    }
  });

  it('R3: writes a file by --output, and still by --out of types, with a word about it', async () => {
    const { cli, dir } = await workspace();
    const path = join(dir, 'nodes.d.ts');
    const old = cli(['types', '--out', path]);
    expect(await old.exit).toBe(0);
    expect(old.stderr()).toContain('--out is now --output');
    expect(await readFile(path, 'utf8')).toContain('interface');
    const none = cli(['types']);
    expect(await none.exit).toBe(2);
    expect(none.stderr()).toContain('--output');
  });

  it('R3: refuses no workflow for what only the server can tell', async () => {
    const { cli, file } = await workspace();
    const workflow = {
      1: { class_type: 'LoadImage', inputs: { image: 'not-there.png' } },
      2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    };
    const checking = cli(['validate', await file('wf.json', workflow)]);
    expect([await checking.exit, checking.stderr() + checking.stdout()]).toEqual([
      0,
      expect.stringMatching(/only the server can tell[^]*Accepted: 0 errors, 1 warning/u),
    ]);
  });

  it('R3: names what the next command needs to reach the job, and no secret', async () => {
    const { cli, emulator, file } = await workspace({ speed: 0.5 });
    const key = await file('a key', emulator.apiKey);
    const headers = await file('headers', 'x-secret: hush');
    const env = { PROMPTWIRE_BASE_URL: undefined, PROMPTWIRE_API_KEY: undefined };
    const flags = ['--base-url', emulator.baseUrl, '--dialect', 'cloud', '--key-file', key];
    const running = cli(
      [
        'run',
        await file('wf.json', slowWorkflow(100_000)),
        ...flags,
        '--header',
        `@${headers}`,
        '--header',
        'x-own: hush',
      ],
      { env },
    );
    await running.printed('Running');
    running.signal('SIGINT');
    expect(await running.exit).toBe(130);
    const reach = `--base-url ${emulator.baseUrl} --dialect cloud --key-file '${key}' --header @${headers}`;
    const id = /^Submitted as (\S+)$/mu.exec(running.stderr())?.[1] ?? '';
    expect(running.stderr()).toContain(`promptwire follow ${id} ${reach}\n`);
    expect(running.stderr()).toContain(`promptwire cancel ${id} ${reach}\n`);
    expect(running.stderr()).not.toMatch(/hush/u);
    expect(await cli(['cancel', id, ...flags], { env }).exit).toBe(0);
  });

  it('R5: names what the next command needs in every text about a job key, an unknown outcome and a repair', async () => {
    const { cli, emulator, file } = await workspace();
    const env = { PROMPTWIRE_BASE_URL: undefined };
    const key = await file('key', emulator.apiKey);
    const flags = ['--base-url', emulator.baseUrl, '--dialect', 'cloud', '--key-file', key];
    const reach = ` --base-url ${emulator.baseUrl} --dialect cloud --key-file ${key}`;
    const small = await file('small.json', slowWorkflow(1));
    const keyed = (path: string, key: string) =>
      cli(['run', path, ...flags, '--job-key', key, '--detach'], { env });

    const first = keyed(small, 'a');
    expect(await first.exit).toBe(0);
    const id = first.stdout().trim();
    const other = keyed(await file('other.json', slowWorkflow(2)), 'a');
    expect(await other.exit).toBe(2);
    expect(other.stderr()).toContain(`watch that one: promptwire follow ${id}${reach} (`);

    emulator.answerOnce('POST', '/api/prompt', { status: 200, afterCommit: true, cut: true });
    const lost = keyed(small, 'b');
    expect(await lost.exit).toBe(8);
    expect(lost.stderr()).toContain(`promptwire queue${reach}, then promptwire follow ID${reach}.`);
    const again = keyed(small, 'b');
    expect(await again.exit).toBe(8);
    expect(again.stderr()).toContain(`\`promptwire queue${reach}\``);
    expect(again.stderr()).toContain(`\`promptwire follow ID${reach}\``);

    const wrong = keyed(await file('wrong.json', { 1: { class_type: 'SaveImage', inputs: {} } }), 'c');
    expect(await wrong.exit).not.toBe(0);
    expect(wrong.stderr()).toContain(`promptwire validate FILE --fix${reach} repairs`);
  });
});
