import { describe, expect, it } from 'vitest';
import { openOutputs } from '../../../src/page/studio/state/outputs.js';
import type { RemoteOutput } from '../../../src/remote.js';

const output = (filename: string): RemoteOutput => ({
  ...{ id: filename, nodeId: '7', filename, type: 'output', mediaType: 'image/png', url: `/${filename}` },
  blob: () => Promise.resolve(new Blob()),
  link: () => Promise.resolve(`/${filename}?ticket=1`),
});

const item = (filename: string) => ({ jobId: 'a', nodeId: '7', filename });

/** A gateway whose job has one file more with each answer. */
const growing = () => {
  let answers = 0;
  const outputs = (): Promise<readonly RemoteOutput[]> => {
    answers += 1;
    return Promise.resolve(['1.png', '2.png', '3.png'].slice(0, answers).map(output));
  };
  return { remote: { outputs }, answers: () => answers };
};

describe('openOutputs', () => {
  it('asks once for the files of a job', async () => {
    const { remote, answers } = growing();
    const outputs = openOutputs(remote, true);
    expect(await outputs.source(item('1.png'))).toBe('/1.png');
    expect(await outputs.source(item('1.png'))).toBe('/1.png');
    expect(answers()).toBe(1);
  });

  it('asks again for a file that the job has made since', async () => {
    const { remote, answers } = growing();
    const outputs = openOutputs(remote, true);
    await outputs.source(item('1.png'));
    expect(await outputs.source(item('2.png'))).toBe('/2.png');
    expect(answers()).toBe(2);
  });

  it('gives up on a file that the newest list lacks', async () => {
    const { remote, answers } = growing();
    expect(await openOutputs(remote, true).source(item('3.png'))).toBeUndefined();
    expect(answers()).toBe(1);
  });

  it('gives an address with a ticket to a page with a token', async () => {
    expect(await openOutputs(growing().remote, false).source(item('1.png'))).toBe('/1.png?ticket=1');
  });
});
