import { aRemote } from './a-remote.js';
import { describe, expect, it } from 'vitest';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import type { Remote } from '../../src/page/remote/remote.js';
import { life, submitted } from '../gateway/support.js';

const page = (): Response =>
  new Response('<!doctype html><title>Log in</title>', { headers: { 'content-type': 'text/html' } });

/** What other servers answer to everything, with 200. */
const answers: Readonly<Record<string, () => Response>> = {
  'an HTML page': page,
  'other JSON': () => Response.json({ status: 'ok' }),
  'a list': () => Response.json([]),
  nothing: () => new Response(null),
  'nothing, as a stream': () => new Response('', { headers: { 'content-type': 'application/x-ndjson' } }),
};

const workflow = { 1: { class_type: 'A', inputs: {} } };

/** Each call and stream of a remote. */
const calls: Readonly<Record<string, (remote: Remote) => Promise<unknown>>> = {
  run: (remote) => lastValueFrom(remote.run(workflow)),
  runTemplate: (remote) => lastValueFrom(remote.runTemplate('portrait', {})),
  follow: (remote) => firstValueFrom(remote.follow('a')),
  previews: (remote) => firstValueFrom(remote.previews('a')),
  list: (remote) => remote.list(),
  cancel: (remote) => remote.cancel('a'),
  upload: (remote) => lastValueFrom(remote.upload(new Blob(['x']))),
  outputs: (remote) => remote.outputs('a'),
};

describe('a server that is no gateway', () => {
  it.each(Object.keys(answers).flatMap((what) => Object.keys(calls).map((call) => [what, call] as const)))(
    'R1: answers with %s to %s, which is an error within seconds',
    async (what, call) => {
      const { remote, clock } = await aRemote({ before: () => answers[what]!() });
      const ended = calls[call]!(remote).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      await clock.advance(10_000);
      expect(await Promise.race([ended, Promise.resolve('no answer')])).toMatchObject({
        error: { _tag: expect.stringMatching(/^(?:Decode|OutcomeUnknown)$/u) as string },
      });
      remote.close();
    },
  );

  it('R1: gives no page for a picture', async () => {
    let isGateway = true;
    const setting = await aRemote({ before: () => (isGateway ? undefined : page()) });
    const { remote, clock, service } = setting;
    const { record } = await submitted(setting);
    for (const state of life('p1')) service.jobs[0]!.move(state);
    await clock.advance(1_000);
    const [file] = await clock.until(remote.outputs(record.id));
    isGateway = false;
    await expect(clock.until(file!.blob())).rejects.toMatchObject({ _tag: 'Decode' });
    remote.close();
  });
});
