import { createClient, toPromise, type Workflow } from '../../src/node.js';
import { describe, expect, it } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { readdir } from 'node:fs/promises';
import { slowWorkflow } from './helpers/workflows.js';
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

  it.each([
    ['no list', {}, 'holds no list of servers'],
    ['an empty one', [], 'holds no list of servers'],
    ['a number', [7], 'server 1: it is neither an address nor an object'],
    ['no address', ['http://127.0.0.1:1', { name: 'a' }], 'server 2: it has no baseUrl'],
    ['a word that is none', [{ baseUrl: 'http://127.0.0.1:1', slot: 2 }], 'slot is none of baseUrl, name'],
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

  it('one service and many servers together end with 2, and nothing is sent', async () => {
    const { cli, first, servers, asked } = await engines();
    const running = cli(['follow', 'some-id', '--base-url', first.emulator.baseUrl, ...servers]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('give the one or the others');
    expect([...first.asked(), ...asked()]).toEqual([]);
  });

  it('H8: the key of the environment is not for them', async () => {
    const { cli, servers, first } = await engines();
    const running = cli(['cancel', 'some-id', ...servers, '--dialect', 'cloud']);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('--server names another origin');
    expect(first.asked()).toEqual([]);
  });
});
