import type { Client, DownloadState, JobState } from '../../src/node.js';
import type { CliEvent } from '../../src/cli/report/cli-event.js';
import { describe, expect, it } from 'vitest';
import { finishJob } from '../../src/cli/commands/finish-job.js';
import type { EndedJob } from '../../src/cli/commands/ended-job.js';
import { fakeRest } from '../helpers/fake-rest.js';
import { jobState, nodeState } from './helpers/job-state.js';
import { join } from 'node:path';
import { of } from 'rxjs';
import type { Session } from '../../src/cli/run-command.js';
import { tmpdir } from 'node:os';

const outputs = { 9: { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } };

/** The events of a job's end, and its exit. */
const finish = async (job: Partial<EndedJob & JobState>) => {
  const events: CliEvent[] = [];
  const session = {
    report: (event: CliEvent) => void events.push(event),
    enterStage: () => undefined,
    stop: new AbortController().signal,
  } satisfies Partial<Session>;
  const saved: unknown[] = [];
  const client = {
    rest: fakeRest(),
    download: (files) => {
      saved.push(...(files as readonly unknown[]));
      return of<DownloadState>({ done: true, files: [], total: 1, receivedBytes: 1, expectedBytes: 1 });
    },
  } satisfies Partial<Client>;
  const exit = await finishJob(
    session as unknown as Session,
    client as unknown as Client,
    { ...jobState([], { phase: 'completed', outputs }), ...job },
    { out: join(tmpdir(), 'promptwire-no-such-folder') },
  );
  const texts = events.filter((event) => event.kind === 'text').map(({ key, text }) => [key, text]);
  return { exit, saved, texts, warnings: events.filter(({ kind }) => kind === 'warning') };
};

describe('finishJob', () => {
  it('F24: warns where the record was not whole, saves what there is, and ends with a code of its own', async () => {
    const { exit, saved, warnings } = await finish({ outputsComplete: false });
    expect(exit).toBe('incomplete');
    expect(saved).toMatchObject([{ filename: 'a.png' }]);
    expect(warnings).toEqual([
      { kind: 'warning', message: 'the record of the job is not complete: files may be missing' },
    ]);
  });

  it('M5: saves the model that a bare text names, not the temporary preview beside it', async () => {
    const preview = { filename: 'shot.png', subfolder: '', type: 'temp' };
    const made = { 9: { result: ['3d/chair.glb', { position: 1 }, null] }, 10: { images: [preview] } };
    const { saved, texts, warnings } = await finish({ outputsComplete: true, outputs: made });
    expect(saved).toMatchObject([{ filename: 'chair.glb', subfolder: '3d', type: 'output', nodeId: '9' }]);
    expect(texts).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('M5: shows texts under any key', async () => {
    const made = {
      9: { text: ['a'], string: ['b', 7, null], tags: 'c', spelled: Array.from('word'), pair: ['x', 'y'] },
    };
    expect((await finish({ outputsComplete: true, outputs: made })).texts).toEqual([
      [undefined, 'a'],
      ['string', 'b'],
      ['tags', 'c'],
      ['spelled', 'word'],
      ['pair', 'x'],
      ['pair', 'y'],
    ]);
  });

  it('tells the display node of a file whose node was made at run time', async () => {
    const node = nodeState('9', { displayNodeId: '4' });
    const { saved } = await finish({ outputsComplete: true, nodes: { 9: node } });
    expect(saved).toMatchObject([{ nodeId: '9', displayNodeId: '4' }]);
  });

  it('warns of pictures that came over the socket and are not saved, and ends as incomplete', async () => {
    const workflow = { 11: { class_type: 'SaveImageWebsocket', inputs: {}, _meta: { title: 'Stream' } } };
    const nodes = { 11: nodeState('11', { phase: 'finished', max: 2 }) };
    const whole = { outputsComplete: true, workflow, nodes };
    const { exit, warnings } = await finish({ ...whole, streamed: new Map([['11', 1]]) });
    expect(exit).toBe('incomplete');
    expect(warnings).toMatchObject([
      { message: expect.stringContaining('1 of 2 pictures of node 11 (Stream) is not here') as string },
    ]);
    expect((await finish({ ...whole, streamed: new Map([['11', 2]]) })).warnings).toEqual([]);
  });

  it('says nothing of a job whose record is whole', async () => {
    expect(await finish({ outputsComplete: true })).toMatchObject({ exit: 'done', warnings: [] });
  });
});
