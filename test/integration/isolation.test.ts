import { firstValueFrom, filter, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toPromise } from '../../src/core/interop/to-promise.js';
import { forPrompt } from '../../src/core/operators/for-prompt.js';
import { untilTerminal } from '../../src/core/operators/until-terminal.js';
import { endsJob } from '../../src/core/protocol/attribution/running-prompts.js';
import { emulated, failing, picture, reaches, slow, submit } from '../helpers/emulated.js';

describe.each(['interface', '2026'] as const)('two programs with one key (%s)', (profile) => {
  it('C8: hear each other, and mix nothing up', async () => {
    const { client, newClient } = await emulated({ profile });
    const other = newClient();
    const heard = firstValueFrom(client.frames.pipe(filter(({ promptId }) => promptId !== undefined)));
    const [mine, theirs, failed] = await Promise.all([
      submit(client, picture(8)),
      submit(other, picture(8)),
      submit(other, failing('OOMError')),
    ]);
    const [frames, foreign, state, otherState, failedState] = await Promise.all([
      lastValueFrom(mine.frames.pipe(toArray())),
      lastValueFrom(theirs.frames.pipe(toArray())),
      lastValueFrom(mine.states),
      lastValueFrom(theirs.states),
      lastValueFrom(failed.states),
    ]);
    expect(await heard).toBeDefined();
    expect(new Set(frames.map(({ promptId }) => promptId))).toEqual(new Set([mine.promptId]));
    expect(new Set(foreign.map(({ promptId }) => promptId))).toEqual(new Set([theirs.promptId]));
    expect([state.phase, otherState.phase, failedState.phase]).toEqual(['completed', 'completed', 'failed']);
    expect(state.outputs).not.toEqual(otherState.outputs);
  });

  it('gives a frame that names no job to the only one that runs, and to none while two do', async () => {
    const { client, emulator, newClient } = await emulated({ profile, speed: 20 });
    const job = await submit(client, slow());
    const frames = lastValueFrom(job.frames.pipe(toArray()));
    const piped = lastValueFrom(client.frames.pipe(forPrompt(job.promptId), untilTerminal(), toArray()));
    await reaches(job, 'in_progress');
    emulator.inject(plainPicture(1));
    emulator.inject(plainText('while alone'));

    const rival = await submit(newClient(), slow());
    const begun = (promptId: string) =>
      firstValueFrom(client.frames.pipe(filter((frame) => frame.promptId === promptId)));
    await begun(rival.promptId);
    emulator.inject(plainPicture(2));
    emulator.inject(plainText('while two run'));

    const rivalEnds = firstValueFrom(client.frames.pipe(forPrompt(rival.promptId), filter(endsJob)));
    await toPromise(rival.cancel());
    await rivalEnds;
    emulator.inject(plainPicture(3));
    await firstValueFrom(job.frames.pipe(filter(({ _tag }) => _tag === 'Preview')));

    await toPromise(job.cancel());
    for (const own of [await frames, await piped]) {
      const unnamed = own.filter(({ promptId }) => promptId === undefined);
      expect(unnamed.map((frame) => (frame._tag === 'Preview' ? frame.image.at(-1) : frame._tag))).toEqual([
        1,
        ...(profile === '2026' ? [] : ['Text']),
        3,
      ]);
    }
  });
});

/** Binary type 1: a JPEG that ends in this byte. */
const plainPicture = (mark: number): Uint8Array =>
  Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8, 0xff, mark);

/** Binary type 3 in the layout without a job. */
const plainText = (text: string): Uint8Array =>
  Buffer.concat([Uint8Array.of(0, 0, 0, 3, 0, 0, 0, 1, 0x31), Buffer.from(text)]);
