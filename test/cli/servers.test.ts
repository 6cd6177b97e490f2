import { createClient, toPromise, type Workflow } from '../../src/node.js';
import { describe, expect, it } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { readdir } from 'node:fs/promises';
import { copyWorkflow, slowWorkflow } from './helpers/workflows.js';
import { png } from './helpers/pictures.js';
import { screen } from './helpers/screen.js';
import { textToImageWorkflow } from '../../src/emulator.js';
import { workspace } from './helpers/workspace.js';

/** A workspace of a cloud service in the environment, and two engines beside it. */
const engines = async (options: Parameters<typeof workspace>[0] = {}) => {
  const { cli, file, dir, asked } = await workspace();
  const [first, second] = await Promise.all([
    workspace({ dialect: 'local', ...options }),
    workspace({ dialect: 'local', ...options }),
  ]);
  const servers = ['--server', first.emulator.baseUrl, '--server', second.emulator.baseUrl];
  const submit = async (workflow: object): Promise<string> => {
    await using client = createClient(second.emulator);
    return (await toPromise(client.rest.submit(workflow as Workflow))).promptId;
  };
  return { cli, file, dir, asked, first, second, servers, submit };
};

const picture = () => textToImageWorkflow({ steps: 1, width: 64, height: 64 });

const withPrefix = (n: number) => ({
  ...copyWorkflow,
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: `copy-${n}` } },
});

describe('serve over many servers', () => {
  it('runs the jobs of callers on them, and reads each file on the one that made it', async () => {
    const { cli, servers, first, second, asked } = await engines();
    const running = cli(['serve', '--port', '0', ...servers]);
    await running.printed('listening on');
    const base = /listening on (http:\S+)/u.exec(running.stdout())?.[1] ?? '';
    const call = async (): Promise<number> => {
      const answer = await fetch(`${base}/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'wait=30', accept: 'image/*' },
        body: JSON.stringify({ workflow: picture() }),
      });
      return (await answer.arrayBuffer()).byteLength;
    };
    const sizes = await Promise.all([call(), call(), call(), call()]);
    expect(sizes.every((size) => size > 100)).toBe(true);
    const submissions = [first, second].map(
      ({ emulator: { requests } }) =>
        requests.filter(({ method, url }) => method === 'POST' && url === '/api/prompt').length,
    );
    expect(submissions.reduce((all, some) => all + some, 0)).toBe(4);
    expect(asked()).toEqual([]);
    running.signal('SIGTERM');
    await running.exit;
    const both = cli(['serve', ...servers, '--base-url', first.emulator.baseUrl]);
    expect(await both.exit).toBe(2);
  });
});

describe('servers behind a gateway', () => {
  it('are shown, paused, resumed and drained by a caller with the right', async () => {
    const { cli, servers, first } = await engines();
    const env = { PROMPTWIRE_GATEWAY_TOKENS: 'ann:token-of-the-operator,web:token-of-the-web-app' };
    const running = cli(['serve', '--port', '0', '--operator', 'ann', ...servers], { env });
    await running.printed('listening on');
    const base = /listening on (http:\S+)/u.exec(running.stdout())?.[1] ?? '';
    const { host } = new URL(first.emulator.baseUrl);
    const ask = async (token: string, ...words: readonly string[]) => {
      const asked = cli(['servers', ...words, '--gateway', base, '--json'], {
        env: { PROMPTWIRE_GATEWAY_TOKEN: token },
      });
      const code = await asked.exit;
      return { code, lines: jsonLines(asked.stdout()) };
    };
    for (const [action, mode] of [
      ['pause', 'paused'],
      ['resume', 'active'],
      ['drain', 'draining'],
    ] as const) {
      const { code, lines } = await ask('token-of-the-operator', action, host);
      expect([code, lines[0]]).toMatchObject([0, { kind: 'servers', servers: [{ name: host, mode }] }]);
    }
    const all = await ask('token-of-the-operator', '--once');
    expect(all.lines[0]).toMatchObject({ kind: 'servers', servers: [{ name: host }, {}] });
    expect((await ask('token-of-the-web-app', '--once')).lines[0]).toMatchObject({ tag: 'Forbidden' });
    expect((await ask('token-of-the-operator', 'pause', 'cellar')).lines[0]).toMatchObject({
      tag: 'NotFound',
    });
    running.signal('SIGTERM');
    await running.exit;
  });

  it('are what pause needs: of plain servers only this command would know', async () => {
    const { cli, servers, first } = await engines();
    const { host } = new URL(first.emulator.baseUrl);
    const pausing = cli(['servers', 'pause', host, ...servers]);
    expect(await pausing.exit).toBe(2);
    expect(pausing.stderr()).toMatch(/--gateway URL.*--redis URL/u);
    for (const words of [['pause'], ['show', host], ['--gateway', 'http://h']])
      expect(await cli(['servers', ...words, ...servers]).exit).toBe(2);
  });
});

describe('many servers', () => {
  it('a job is followed on the server that has it, and its files are those of that server', async () => {
    const { cli, dir, servers, submit, asked } = await engines();
    const promptId = await submit(picture());
    const out = `${dir}/out`;
    const following = cli(['follow', promptId, ...servers, '--out', out]);
    expect(await following.exit).toBe(0);
    expect(await readdir(out)).toHaveLength(1);
    expect(asked()).toEqual([]);
  });

  it('their queues are printed, each with its server, and one that is away ends with its error', async () => {
    const { cli, servers, second, submit } = await engines({ speed: 0.5 });
    const promptId = await submit(slowWorkflow(100_000));
    const { host } = new URL(second.emulator.baseUrl);
    await expect
      .poll(
        async () => {
          const asking = cli(['queue', ...servers]);
          expect(await asking.exit).toBe(0);
          return asking.stdout();
        },
        { timeout: 20_000 },
      )
      .toContain(`running ${promptId} on ${host}`);
    const json = cli(['queue', ...servers, '--json']);
    expect(await json.exit).toBe(0);
    expect(jsonLines(json.stdout()).filter(({ kind }) => kind === 'queue')).toMatchObject([
      { running: [], pending: [] },
      { server: host, running: [{ promptId }] },
    ]);
    const away = cli(['queue', ...servers, '--server', 'http://127.0.0.1:9']);
    expect(await away.exit).toBe(12);
    expect(away.stdout()).toContain(promptId);
    expect(await cli(['queue', ...servers, '--base-url', second.emulator.baseUrl]).exit).toBe(2);
  });

  it('a job is cancelled on the server that has it, and an id that none knows ends with 9', async () => {
    const { cli, servers, submit } = await engines({ speed: 0.5 });
    const promptId = await submit(slowWorkflow(100_000));
    const cancelling = cli(['cancel', promptId, ...servers]);
    expect(await cancelling.exit).toBe(0);
    expect(cancelling.stdout()).toBe(`Cancelled ${promptId}\n`);
    const unknown = cli(['cancel', '00000000-0000-4000-8000-000000000000', ...servers, '--json']);
    expect(await unknown.exit).toBe(9);
    expect(jsonLines(unknown.stdout())[0]).toMatchObject({ kind: 'error', tag: 'NotFound' });
  });

  it('the command that goes on names them again', async () => {
    const { cli, servers, submit } = await engines({ speed: 0.5 });
    const promptId = await submit(slowWorkflow(100_000));
    const following = cli(['follow', promptId, ...servers]);
    await following.printed('Running');
    following.signal('SIGINT');
    expect(await following.exit).toBe(130);
    expect(following.stderr()).toContain(`promptwire follow ${promptId} ${servers.join(' ')}`);
  });

  it('a file lists them with what they are to the pool', async () => {
    const { cli, file, dir, first, second, submit } = await engines();
    const promptId = await submit(picture());
    const list = await file('servers.json', [
      first.emulator.baseUrl,
      { baseUrl: second.emulator.baseUrl, name: 'attic', tags: ['big'], slots: 2, ahead: 0 },
    ]);
    expect(await cli(['follow', promptId, '--servers', list, '--out', `${dir}/out`]).exit).toBe(0);
  });

  it('many files run over them at the same time, and a line tells where each runs', async () => {
    const { cli, file, dir, first, second, servers, asked } = await engines();
    const files = await Promise.all(
      [1, 2, 3, 4].map((seed) =>
        file(`${seed}.json`, textToImageWorkflow({ steps: 2, width: 64, height: 64, seed })),
      ),
    );
    const out = `${dir}/out`;
    const running = cli(['run', ...files, ...servers, '--out', out]);
    expect(await running.exit).toBe(0);
    expect(await readdir(out)).toHaveLength(4);
    for (const name of files)
      expect(running.stderr()).toMatch(new RegExp(`^${name}: completed on 127\\.0\\.0\\.1:\\d+$`, 'mu'));
    const ran = [first, second].map(({ emulator }) => emulator.ledger.jobs.length);
    expect(ran.reduce((sum, jobs) => sum + jobs)).toBe(4);
    expect(Math.min(...ran)).toBeGreaterThan(0);
    expect(asked()).toEqual([]);
  });

  it('on a terminal each running job has one line, and those that wait are counted', async () => {
    const { cli, file, first, second } = await engines({ speed: 0.5 });
    const list = [first, second].map(({ emulator: { baseUrl } }) => ({ baseUrl, ahead: 0 }));
    const servers = ['--servers', await file('servers.json', list)];
    const files = await Promise.all([1, 2, 3].map((n) => file(`${n}.json`, slowWorkflow(100_000))));
    const terminal = { isTTY: true, columns: 200, env: { NO_COLOR: '1' } };
    const running = cli(['run', ...files, ...servers], terminal);
    const shown = (): readonly string[] => {
      const view = screen(terminal.columns, 24);
      view.feed(running.stderr().replace(/(?<!\r)\n/gu, '\r\n'));
      return view.lines().filter((line) => line.trim() !== '');
    };
    const jobs = (): readonly string[] => shown().filter((line) => / \d+ %/u.test(line));
    await expect.poll(jobs, { timeout: 20_000 }).toHaveLength(2);
    expect(shown()).toHaveLength(3);
    expect(shown()[0]).toBe('0 of 3 jobs over, 1 to come');
    const words = jobs().map((line) => line.trim().split(/\s+/u));
    expect(words.map(([name]) => name)).toEqual(files.slice(0, 2));
    expect(words.map(([, server]) => server).toSorted()).toEqual(
      [first, second].map(({ emulator }) => new URL(emulator.baseUrl).host).toSorted(),
    );
    running.signal('SIGINT');
    expect(await running.exit).toBe(130);
  });

  it('the code is that of the first file that did not complete, and the others are saved', async () => {
    const { cli, file, dir, servers } = await engines();
    const bad = await file('bad.json', { '1': { class_type: 'NoSuchClass', inputs: {} } });
    const good = await file('good.json', picture());
    const running = cli(['run', bad, good, ...servers, '--out', `${dir}/out`, '--json']);
    expect(await running.exit).toBe(6);
    expect(await readdir(`${dir}/out`)).toHaveLength(1);
    const ends = jsonLines(running.stdout()).filter(
      ({ kind, phase }) => kind === 'batch' && phase !== 'submitting',
    );
    expect(ends.find(({ file: name }) => name === bad)).toMatchObject({ phase: 'failed' });
  });

  it('an upload reaches the server that gets the job, and is sent to each once', async () => {
    const { cli, file, dir, first, second, servers } = await engines();
    const photo = await file(
      'photo.png',
      png(8, 8, () => [9, 9, 9]),
    );
    const copies = await Promise.all([1, 2, 3, 4].map((n) => file(`copy-${n}.json`, withPrefix(n))));
    const running = cli([
      'run',
      ...copies,
      ...servers,
      '--upload',
      `1.image=${photo}`,
      '--out',
      `${dir}/out`,
    ]);
    expect(await running.exit).toBe(0);
    const uploads = [first, second].map(
      (one) => one.asked().filter((call) => call === 'POST /api/upload/image').length,
    );
    expect(uploads).toEqual([copies.length, 1]);
    for (const { emulator } of [first, second]) expect(emulator.ledger.jobs.length).toBeGreaterThan(0);
  });

  it('the table shows them all, and ends with --once', async () => {
    const { cli, servers, first } = await engines();
    const away = ['--server', 'http://127.0.0.1:9'];
    const running = cli(['servers', ...servers, ...away, '--once']);
    expect(await running.exit).toBe(0);
    const [head, ...rows] = running.stdout().trim().split('\n');
    expect(head).toMatch(/^SERVER +STATE/u);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(new RegExp(`^${new URL(first.emulator.baseUrl).host} +up `, 'u'));
    expect(rows[2]).toMatch(/^127\.0\.0\.1:9 +down /u);
    const json = cli(['servers', ...servers, '--once', '--json']);
    expect(await json.exit).toBe(0);
    expect(jsonLines(json.stdout())[0]).toMatchObject({
      kind: 'servers',
      servers: [{ health: 'up' }, { health: 'up' }],
    });
    expect(await cli(['servers']).exit).toBe(2);
  });

  it('the table tells how many jobs of all programs each has', async () => {
    const { cli, servers, first } = await engines({ speed: 0.5 });
    const body = JSON.stringify({ prompt: slowWorkflow(100_000) });
    for (let job = 0; job < 3; job += 1) {
      const { baseUrl } = first.emulator;
      expect((await fetch(`${baseUrl}/prompt`, { method: 'POST', body })).status).toBe(200);
    }
    const running = cli(['servers', ...servers, '--once', '--json']);
    expect(await running.exit).toBe(0);
    expect(jsonLines(running.stdout())[0]).toMatchObject({
      servers: [
        { running: 1, waiting: 2 },
        { running: 0, waiting: 0 },
      ],
    });
  });

  it('the emulator plays several engines in one process', async () => {
    const { cli } = await workspace();
    const emulating = cli(['emulate', '--dialect', 'local', '--engines', '4', '--speed', 'Infinity']);
    await emulating.printed('--server');
    const servers = emulating.stdout().trim().split(' ');
    expect(servers.filter((word) => word === '--server')).toHaveLength(4);
    expect(await cli(['servers', ...servers, '--once']).exit).toBe(0);
    emulating.signal('SIGTERM');
    expect(await emulating.exit).toBe(0);
    expect(await cli(['emulate', '--engines', '2']).exit).toBe(2);
  });

  it.each([
    ['--job-key', 'one job of one service'],
    ['--record', 'what one connection carries'],
  ])('%s is refused with them', async (flag, says) => {
    const { cli, file, servers, first } = await engines();
    const running = cli(['run', await file('a.json', picture()), ...servers, flag, 'x']);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(says);
    expect(first.emulator.ledger.jobs).toEqual([]);
  });

  it.each([
    ['no list', {}, 'holds no list of servers'],
    ['an empty one', [], 'holds no list of servers'],
    ['a number', [7], 'server 1: it is neither an address nor an object'],
    ['no address', ['http://127.0.0.1:1', { name: 'a' }], 'server 2: it has no baseUrl'],
    ['a word for an address', ['nonsense'], 'server 1: "nonsense" is no address'],
    ['another scheme', [{ baseUrl: 'ftp://attic' }], 'server 1: baseUrl is an address in quotes'],
    ['a word that is none', [{ baseUrl: 'http://127.0.0.1:1', slot: 2 }], 'slot is not one of baseUrl, name'],
    ['tags that are no list', [{ baseUrl: 'http://127.0.0.1:1', tags: 'big' }], 'tags is a list of words'],
    ['a dialect that is none', [{ baseUrl: 'http://127.0.0.1:1', dialect: 'v3' }], 'dialect is one of cloud'],
    ['no slots', [{ baseUrl: 'http://127.0.0.1:1', slots: 0 }], 'slots is --servers'],
    ['one twice', ['http://127.0.0.1:1', 'http://127.0.0.1:1/'], 'servers is --server or --servers'],
  ])('a file with %s ends with 2 and says what to do', async (_, content, says) => {
    const { cli, file } = await workspace();
    const list = await file('servers.json', content);
    const running = cli(['cancel', 'some-id', '--servers', list]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(says);
  });

  it.each(['nonsense', '', 'ftp://attic', 'http://'])(
    '--server %j ends with 2 and says what to do',
    async (url) => {
      const { cli } = await workspace();
      const running = cli(['cancel', 'some-id', '--server', url]);
      expect(await running.exit).toBe(2);
      expect(running.stderr()).toContain(
        `--server takes an address such as http://127.0.0.1:8188, and got "${url}"`,
      );
    },
  );

  it.each(['run', 'follow', 'cancel', 'queue', 'serve', 'worker'])(
    '%s ends with 2 where one service and many servers are named together, and nothing is sent',
    async (command) => {
      const { cli, file, first, second, servers, asked } = await engines();
      const words = {
        ...{ run: [await file('a.json', picture())], follow: ['some-id'], cancel: ['some-id'] },
        worker: ['--redis', 'redis://127.0.0.1:9'],
      }[command];
      const named = [command, ...(words ?? []), '--base-url', first.emulator.baseUrl];
      for (const many of [servers, ['--servers', 'servers.json']]) {
        const running = cli([...named, ...many]);
        expect(await running.exit).toBe(2);
        expect(running.stderr()).toContain('give the one or the others');
      }
      expect([...first.asked(), ...second.asked(), ...asked()]).toEqual([]);
    },
  );

  it.each(['run', 'follow', 'cancel', 'queue'])(
    '%s asks the address of the environment only where neither is named',
    async (command) => {
      const { cli, file, first, second, servers, asked } = await engines();
      const id = '00000000-0000-4000-8000-000000000000';
      const words = { run: [await file('a.json', picture())], follow: [id], cancel: [id] }[command] ?? [];
      const play = async (argv: readonly string[], isAsked: () => boolean): Promise<void> => {
        const running = cli([command, ...words, ...argv]);
        // No server knows the id, and each says so only after half a minute.
        if (command === 'follow') {
          await expect.poll(isAsked, { timeout: 20_000 }).toBe(true);
          running.signal('SIGINT');
        }
        await running.exit;
      };
      await play(servers, () => first.asked().length > 0 && second.asked().length > 0);
      expect(asked()).toEqual([]);
      const { dialect, baseUrl } = first.emulator;
      const until = first.asked().length;
      await play(['--base-url', baseUrl, '--dialect', dialect], () => first.asked().length > until);
      expect(asked()).toEqual([]);
      const before = [first, second].map((engine) => engine.asked().length);
      expect(Math.min(...before)).toBeGreaterThan(0);
      await play([], () => asked().length > 0);
      expect(asked()).not.toEqual([]);
      expect([first, second].map((engine) => engine.asked().length)).toEqual(before);
    },
  );

  it('H8: the key of the environment is not for them', async () => {
    const { cli, servers, first } = await engines();
    const running = cli(['cancel', 'some-id', ...servers, '--dialect', 'cloud']);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('--server names another origin');
    expect(first.asked()).toEqual([]);
  });
});
