import { lastValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator.js';
import { createClient } from '../../src/node.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { causeOf } from '../helpers/cause-of.js';
import { emulated, picture, reaches, refusal, slow, submit } from '../helpers/emulated.js';

/** A client for the cloud that was pointed at a local server. */
const forgotten = async (speed = Infinity) => {
  const emulator = await startEmulator({ dialect: 'local', speed });
  onTestFinished(() => emulator.close());
  const client = createClient({ baseUrl: emulator.baseUrl, apiKey: 'comfyui-0123456789' });
  onTestFinished(() => client.close());
  return { client, emulator };
};

const wrongDialect = {
  _tag: 'InvalidConfig',
  option: 'dialect',
  message: expect.stringContaining('local server') as string,
  hint: expect.stringContaining("dialect: 'local'") as string,
};

describe('a client for the cloud at a local server', () => {
  it('says so by the first job, which it names, and does not call it lost', async () => {
    const { client } = await forgotten();
    const problem = (await causeOf(lastValueFrom(client.run(picture())))) as ServiceError;
    expect(problem).toMatchObject({ ...wrongDialect, promptId: expect.any(String) as string });
  });

  it('says so by the first message of the socket, long before the job ends', async () => {
    const { client } = await forgotten(1);
    const job = await submit(client, slow());
    expect(await causeOf(lastValueFrom(job.states))).toMatchObject({
      ...wrongDialect,
      promptId: job.promptId,
    });
  });

  it('says so of a job that is followed, and of the account', async () => {
    const { client } = await forgotten();
    expect(await causeOf(lastValueFrom(client.follow('x')))).toMatchObject({
      ...wrongDialect,
      promptId: 'x',
    });
    expect(await refusal(client.rest.user())).toMatchObject(wrongDialect);
  });

  it('submits nothing any more once it is known', async () => {
    const { client, emulator } = await forgotten();
    await client.rest.user()();
    expect(await refusal(client.submit(picture()))).toMatchObject(wrongDialect);
    expect(emulator.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('a client for a local server at the cloud', () => {
  it('says so where the service asks for a key', async () => {
    const { newClient } = await emulated();
    const client = newClient({ dialect: 'local' });
    const problem = await refusal(client.submit(picture()));
    expect(problem).toMatchObject({
      _tag: 'Unauthorized',
      hint: expect.stringContaining('dialect') as string,
    });
  });

  it('says so where a proxy adds the key, and does not call the job lost', async () => {
    const { newClient, emulator } = await emulated();
    const client = newClient({ dialect: 'local' }, ({ request }) => ({
      request: (sent) => request({ ...sent, headers: { ...sent.headers, 'x-api-key': emulator.apiKey } }),
    }));
    expect(await causeOf(lastValueFrom(client.run(picture())))).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'dialect',
      hint: expect.stringContaining("dialect: 'cloud'") as string,
    });
  });
});

describe('a client with the right dialect', () => {
  it.each(['cloud', 'local'] as const)('asks nothing more for it: %s', async (dialect) => {
    const emulator = await startEmulator({ dialect, speed: 20 });
    onTestFinished(() => emulator.close());
    const client = createClient(emulator);
    onTestFinished(() => client.close());
    const job = await submit(client, picture());
    await reaches(job, 'completed');
    const paths = emulator.requests.map(({ method, url }) => `${method} ${url.split(/[?]/u)[0]!}`);
    expect(paths).not.toContain('GET /api/user');
    expect(paths.filter((path) => path.startsWith('GET /api/history/'))).toHaveLength(
      dialect === 'local' ? 1 : 0,
    );
  });
});
