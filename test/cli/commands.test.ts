import { describe, expect, it } from 'vitest';
import { flatJpeg, png } from './helpers/pictures.js';
import { inputValue, parseFileReference } from '../../src/cli/commands/upload.js';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { readFile, rm } from 'node:fs/promises';
import { slowWorkflow } from './helpers/workflows.js';
import { startCli } from './helpers/start-cli.js';
import { textToImageWorkflow } from '../../src/emulator.js';
import { workspace } from './helpers/workspace.js';

describe('promptwire status, queue', () => {
  it('tell of jobs that run and wait', async () => {
    const { cli, file } = await workspace({ speed: 0.5, tier: 'free' });
    const workflow = await file('wf.json', slowWorkflow(100_000));
    const first = cli(['run', workflow, '--json']);
    await first.printed('in_progress');
    const second = cli(['run', workflow, '--detach']);
    await second.exit;
    const ids = [String(jsonLines(first.stdout())[0]?.['promptId']), second.stdout().trim()];

    const queue = cli(['queue']);
    expect(await queue.exit).toBe(0);
    expect(queue.stdout()).toBe(`running ${ids[0]}\nwaiting ${ids[1]}\n`);
    const json = cli(['queue', '--json']);
    expect(await json.exit).toBe(0);
    expect(jsonLines(json.stdout())).toMatchObject([
      { kind: 'queue', running: [{ promptId: ids[0] }], pending: [{ promptId: ids[1] }] },
      { kind: 'end', exit: 'done' },
    ]);

    const status = cli(['status', ids[1] ?? '']);
    expect(await status.exit).toBe(0);
    expect(status.stdout()).toBe('pending\n');
    const cancelling = cli(['cancel', ...ids]);
    expect(await cancelling.exit).toBe(0);
    expect(cancelling.stdout().trim().split('\n').sort()).toEqual(ids.map((id) => `Cancelled ${id}`).sort());
    expect(await first.exit).toBe(7);
  });

  it('say so when there is nothing', async () => {
    const { cli } = await workspace();
    const queue = cli(['queue']);
    await queue.exit;
    expect(queue.stdout()).toBe('Nothing runs, nothing waits.\n');
  });

  it('give the raw word beside the state', async () => {
    const { cli, file } = await workspace({ switches: { statusWords: 'raw' } });
    const running = cli(['run', await file('wf.json', slowWorkflow(1)), '--json']);
    await running.exit;
    const status = cli(['status', String(jsonLines(running.stdout())[0]?.['promptId'])]);
    expect(await status.exit).toBe(0);
    expect(status.stdout()).toBe('completed (success)\n');
  });
});

describe('promptwire upload', () => {
  it('prints the name for the workflow, and takes a mask of it', async () => {
    const { cli, file, asked } = await workspace();
    const upload = cli(['upload', await file('a.jpg', flatJpeg(8, 8, [9, 9, 9]))]);
    expect(await upload.exit).toBe(0);
    const name = upload.stdout().trim();
    const mask = cli([
      'upload',
      await file(
        'm.png',
        png(8, 8, () => [0, 0, 0]),
      ),
      '--mask-of',
      name,
      '--json',
    ]);
    expect(await mask.exit).toBe(0);
    expect(jsonLines(mask.stdout())[0]).toMatchObject({ kind: 'uploaded' });
    expect(asked()).toEqual(['POST /api/upload/image', 'POST /api/upload/mask']);
  });

  it('ends as usage where there is no such file', async () => {
    const { cli, dir, asked } = await workspace();
    expect(await cli(['upload', join(dir, 'none.png')]).exit).toBe(2);
    expect(asked()).toEqual([]);
  });
});

describe('promptwire nodes', () => {
  it('lists the classes in order, and shows one with its inputs', async () => {
    const { cli } = await workspace();
    const all = cli(['nodes']);
    expect(await all.exit).toBe(0);
    const names = all.stdout().trim().split('\n');
    expect(names).toContain('KSampler');
    expect(names).toEqual([...names].sort());
    const one = cli(['nodes', 'SlowNode']);
    expect(await one.exit).toBe(0);
    expect(one.stdout()).toContain('  steps: INT = 10\n  anything?: *\n  → *\n');
    const json = cli(['nodes', 'SlowNode', '--json']);
    expect(await json.exit).toBe(0);
    expect(jsonLines(json.stdout())[0]).toMatchObject({ name: 'SlowNode', info: { output_node: true } });
  });

  it('suggests what is alike', async () => {
    const { cli } = await workspace();
    const running = cli(['nodes', 'sampler', '--json']);
    expect(await running.exit).toBe(9);
    expect(jsonLines(running.stdout())[0]?.['message']).toContain('KSampler');
  });
});

describe('promptwire user', () => {
  it('says whom the key belongs to', async () => {
    const { cli } = await workspace();
    const user = cli(['user', '--json']);
    expect(await user.exit).toBe(0);
    expect(jsonLines(user.stdout())[0]).toMatchObject({ kind: 'user', status: 'active' });
  });
});

describe('promptwire emulate', () => {
  it('prints one JSON line, serves, and ends well with a signal', async () => {
    const running = startCli([
      'emulate',
      '--json',
      '--speed',
      'Infinity',
      '--tier',
      'pro',
      '--seed',
      '3',
      '--profile',
      '2026',
    ]);
    await running.printed('\n');
    const [line, ...more] = jsonLines(running.stdout());
    expect([line?.kind, more]).toEqual(['emulator', []]);
    const env = {
      PROMPTWIRE_BASE_URL: String(line?.['baseUrl']),
      PROMPTWIRE_API_KEY: String(line?.['apiKey']),
    };
    expect(await startCli(['user'], { env }).exit).toBe(0);
    running.signal('SIGINT');
    expect(await running.exit).toBe(0);
    expect(jsonLines(running.stdout())).toHaveLength(1);
    expect(await startCli(['emulate', '--port', '70000']).exit).toBe(2);
    expect(await startCli(['emulate', '--tier', 'golden']).exit).toBe(2);
  });

  it('runs a command with its addresses in the environment, and ends with its exit code', async () => {
    const node = (code: string): string => `${JSON.stringify(process.execPath)} -e ${JSON.stringify(code)}`;
    const asks = `fetch(process.env.PROMPTWIRE_BASE_URL + '/prompt').then(({ status }) => {
      console.log(status, process.env.PROMPTWIRE_DIALECT, process.env.PROMPTWIRE_API_KEY ?? 'no key');
      process.exitCode = 7;
    })`.replaceAll(/\s+/gu, ' ');
    const env = { ...process.env, PROMPTWIRE_API_KEY: 'of-another-service' };
    const running = startCli(['emulate', '--dialect', 'local', '--exec', node(asks)], { env });
    expect(await running.exit).toBe(7);
    expect(running.stdout()).toBe('200 local no key\n');
    expect(await startCli(['emulate', '--exec', node('0')], { env }).exit).toBe(0);
    const waiting = startCli(
      ['emulate', '--exec', `exec ${node('console.log(1); setInterval(() => 0, 1000)')}`],
      { env },
    );
    await waiting.printed('1');
    waiting.signal('SIGTERM');
    expect(await waiting.exit).toBe(143);
  });

  it('writes its state at the end, and goes on from it', async () => {
    const { dir } = await workspace();
    const state = join(dir, 'state.json');
    const node = (code: string): string => `${JSON.stringify(process.execPath)} -e '${code}'`;
    const files = `process.env.PROMPTWIRE_BASE_URL + "/internal/files/input"`;
    const uploads = `const form = new FormData(); form.set("image", new Blob(["abc"]), "a.txt");
      fetch(process.env.PROMPTWIRE_BASE_URL + "/upload/image", { method: "POST", body: form })`;
    const local = ['emulate', '--dialect', 'local'];
    expect(await startCli([...local, '--export', state, '--exec', node(uploads)]).exit).toBe(0);
    const lists = `fetch(${files}).then((answer) => answer.text()).then((text) => console.log(text))`;
    const running = startCli([...local, '--import', state, '--exec', node(lists)]);
    expect(await running.exit).toBe(0);
    expect(running.stdout()).toContain('a.txt');
    const other = startCli(['emulate', '--import', state, '--exec', node('0')]);
    expect(await other.exit).toBe(2);
    expect(other.stderr()).toContain('the state is that of dialect local');
    expect(await startCli(['emulate', '--import', join(dir, 'none.json')]).exit).toBe(2);
    expect(await startCli([...local, '--engines', '2', '--import', state]).exit).toBe(2);
  });

  it('M3: plays an older engine', async () => {
    const running = startCli(['emulate', '--json', '--dialect', 'local', '--engine', '0.3.40']);
    await running.printed('\n');
    const stats = await fetch(`${String(jsonLines(running.stdout())[0]?.['baseUrl'])}/system_stats`);
    expect(await stats.json()).toMatchObject({ system: { comfyui_version: '0.3.40' } });
    running.signal('SIGINT');
    expect(await running.exit).toBe(0);
    expect(await startCli(['emulate', '--engine', '0.3.40']).exit).toBe(2);
    expect(await startCli(['emulate', '--dialect', 'local', '--engine', '0.1']).exit).toBe(2);
  });

  it('M11: goes without ffmpeg, or by the one that is named', async () => {
    for (const [options, reason] of [
      [['--no-ffmpeg'], 'the option ffmpeg is false'],
      [['--ffmpeg', '/no/such/ffmpeg'], 'spawn /no/such/ffmpeg ENOENT'],
    ] as const) {
      const running = startCli([
        'emulate',
        '--json',
        '--dialect',
        'local',
        '--speed',
        'Infinity',
        ...options,
      ]);
      await running.printed('\n');
      const baseUrl = String(jsonLines(running.stdout())[0]?.['baseUrl']);
      const prompt = {
        1: { class_type: 'EmptyAudio', inputs: { duration: 0.1, sample_rate: 8_000, channels: 1 } },
        2: { class_type: 'SaveAudioMP3', inputs: { audio: ['1', 0], filename_prefix: 'x', quality: 'V0' } },
      };
      const body = JSON.stringify({ prompt });
      const headers = { 'content-type': 'application/json' };
      await fetch(`${baseUrl}/prompt`, { method: 'POST', headers, body });
      const history = async () => (await fetch(`${baseUrl}/history`)).text();
      await expect.poll(history).toContain(`the emulator has no ffmpeg (${reason}). Install ffmpeg`);
      running.signal('SIGINT');
      expect(await running.exit).toBe(0);
    }
  });

  it('prints lines for a shell, without a key that was given', async () => {
    const running = startCli(['emulate', '--accept-key', 'my-own', '--accept-key', 'other']);
    await running.printed('PROMPTWIRE_WS_URL');
    expect(running.stdout()).toMatch(
      /^export PROMPTWIRE_BASE_URL=http:\/\/127\.0\.0\.1:\d+\nexport PROMPTWIRE_WS_URL=ws:.*\n$/u,
    );
    const env = { PROMPTWIRE_BASE_URL: /http:\S+/u.exec(running.stdout())?.[0], PROMPTWIRE_API_KEY: 'other' };
    expect(await startCli(['user'], { env }).exit).toBe(0);
    const port = new URL(env.PROMPTWIRE_BASE_URL ?? '').port;
    const second = startCli(['emulate', '--port', port]);
    expect(await second.exit).toBe(2);
    expect(second.stderr()).toContain('the port is taken');
    running.signal('SIGTERM');
    expect(await running.exit).toBe(0);
  });
});

describe('promptwire emulate', () => {
  const serve = async (argv: readonly string[], stdin = '') => {
    const running = startCli(['emulate', '--speed', 'Infinity', ...argv], { stdin });
    await running.printed('PROMPTWIRE_BASE_URL');
    const env: Record<string, string> = Object.fromEntries(
      [...running.stdout().matchAll(/^export (\w+)=(.*)$/gmu)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    return { running, env };
  };

  it('prints no address of a socket with --dialect v2, unless it serves that of v1 as well', async () => {
    for (const [argv, socket] of [
      [[], []],
      [['--switch', 'v1Routes=true'], ['PROMPTWIRE_WS_URL']],
    ] as const) {
      const { running, env } = await serve(['--dialect', 'v2', ...argv]);
      expect(Object.keys(env)).toEqual([
        'PROMPTWIRE_BASE_URL',
        ...socket,
        'PROMPTWIRE_DIALECT',
        'PROMPTWIRE_API_KEY',
      ]);
      running.signal('SIGINT');
      expect(await running.exit).toBe(0);
    }
  });

  it('is a local server with --dialect local, and says so to the shell', async () => {
    const { file } = await workspace();
    const { running, env } = await serve(['--dialect', 'local']);
    expect(Object.keys(env)).toEqual(['PROMPTWIRE_BASE_URL', 'PROMPTWIRE_WS_URL', 'PROMPTWIRE_DIALECT']);
    expect(await startCli(['run', await file('wf.json', slowWorkflow(1))], { env }).exit).toBe(0);
    running.signal('SIGINT');
    expect(await running.exit).toBe(0);
  });

  it('speaks API v2 with --dialect v2, with the details of --switch', async () => {
    const details = ['anonymous=true', 'basePath=/deployment/x', 'streamLimit=0'];
    const { running, env } = await serve(['--dialect', 'v2', ...details.flatMap((one) => ['--switch', one])]);
    expect(env).toMatchObject({
      PROMPTWIRE_DIALECT: 'v2',
      PROMPTWIRE_API_KEY: expect.stringMatching(/^comfyui-/u) as string,
    });
    const address = `${env['PROMPTWIRE_BASE_URL'] ?? ''}/api/v2/jobs`;
    expect(address).toContain('/deployment/x/api/v2');
    const answer = await fetch(address, {
      method: 'POST',
      body: JSON.stringify({ workflow: slowWorkflow(1) }),
    });
    expect(answer.status).toBe(201);
    running.signal('SIGINT');
    expect(await running.exit).toBe(0);
    for (const detail of ['none', 'moon=1', 'content=both', 'basePath=x']) {
      expect(await startCli(['emulate', '--dialect', 'v2', '--switch', detail]).exit).toBe(2);
    }
  });

  it('injects the faults of --faults, and refuses an invalid file', async () => {
    const { file } = await workspace();
    // The command repeats a refused request twice.
    const faults = [{ on: 'rest', route: 'GET /api/queue', do: 'answer', status: 403, times: 3 }];
    const { running, env } = await serve(['--faults', '-'], JSON.stringify({ seed: 3, faults }));
    expect(await startCli(['queue'], { env }).exit).toBe(3);
    expect(await startCli(['queue'], { env }).exit).toBe(0);
    running.signal('SIGINT');
    expect(await running.exit).toBe(0);

    const odd = startCli(['emulate', '--faults', await file('odd.json', [{ on: 'moon' }])]);
    expect(await odd.exit).toBe(2);
    expect(odd.stderr()).toContain('faults[0].on: takes');
  });
});

describe('promptwire demo', () => {
  it('goes the whole way without a key, and leaves pictures', async () => {
    const { dir } = await workspace();
    const workflow = join(dir, 'workflow_api.json');
    const saving = ['--include', 'temp', '--out', join(dir, 'outputs'), '--save-workflow', workflow];
    const running = startCli(['demo', '--json', ...saving]);
    expect(await running.exit).toBe(0);
    expect(JSON.parse(await readFile(workflow, 'utf8'))).toEqual(textToImageWorkflow());
    const saved = jsonLines(running.stdout()).filter(({ kind }) => kind === 'saved');
    expect(saved).toHaveLength(2);
    for (const line of saved) {
      expect((await readFile(String(line['path']))).length).toBe(line['bytes']);
      await rm(String(line['path']));
    }
  });
});

describe('parseFileReference', () => {
  it.each([
    ['cat.png', 'cat.png', '', 'input'],
    ['pets/cat.png', 'cat.png', 'pets', 'input'],
    ['a/b/cat.png', 'cat.png', 'a/b', 'input'],
    ['cat.png [output]', 'cat.png', '', 'output'],
    ['pets/cat 2.png [temp]', 'cat 2.png', 'pets', 'temp'],
    ['cat [1].png', 'cat [1].png', '', 'input'],
  ])('reads %s', (text, filename, subfolder, type) => {
    expect(parseFileReference(text)).toEqual({ filename, subfolder, type });
  });
});

describe('inputValue', () => {
  it('names the subfolder where there is one', () => {
    expect(inputValue({ name: 'cat.png', subfolder: '', type: 'input' })).toBe('cat.png');
    expect(inputValue({ name: 'cat.png', subfolder: 'pets', type: 'input' })).toBe('pets/cat.png');
  });
});
