import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTemplates } from '../../../src/cli/input/templates.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-templates-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
};
const read = (assignments: readonly string[], stdin = '') =>
  readTemplates(
    { io: { stdin: Readable.from([stdin]) }, stop: new AbortController().signal } as never,
    assignments,
  );
const workflow = { 1: { class_type: 'A', inputs: { text: 'a cat' }, _meta: { title: 'Prompt' } } };
const content = { workflow, inputs: { prompt: 'Prompt.text' } };

describe('templates of the command line', () => {
  it('are read by their names, from files whose paths may hold anything', async () => {
    const first = await file('a=b\n.json', content);
    const templates = await read([`one=${first}`, `two-2_x=${await file('b.json', content)}`]);
    expect(Object.keys(templates)).toEqual(['one', 'two-2_x']);
    expect(templates['one']?.({ prompt: 'a dog' } as never)).toMatchObject({
      _tag: 'Right',
      right: { 1: { inputs: { text: 'a dog' } } },
    });
    expect(await read([])).toEqual({});
  });

  it('come from standard input as well', async () => {
    expect(Object.keys(await read(['one=-'], JSON.stringify(content)))).toEqual(['one']);
  });

  it.each(['one', 'one=', '=a.json', 'a b=a.json', 'one two=a.json', ''])(
    'are no such thing as %j',
    async (text) => {
      await expect(read([text])).rejects.toThrow('--template takes name=file');
    },
  );

  it.each([{ workflow }, { workflow, inputs: null }, { workflow, inputs: 'x' }, null, 5])(
    'have inputs, which %j lacks',
    async (value) => {
      const path = await file('a.json', value);
      await expect(read([`one=${path}`])).rejects.toThrow(
        `the template ${path} has no "inputs": names with the inputs that they set`,
      );
    },
  );

  it('have a workflow, with the inputs that they name', async () => {
    const lost = await file('lost.json', { workflow, inputs: { prompt: 'Gone.text' } });
    await expect(read([`one=${lost}`])).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/^the template .*lost\.json: ./u) as string,
    });
    const none = await file('none.json', { workflow: 5, inputs: {} });
    await expect(read([`one=${none}`])).rejects.toMatchObject({ _tag: 'InvalidWorkflow' });
  });
});
