import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  definitionsOfService,
  readDefinitions,
  readGraphText,
  workflowOf,
} from '../../../src/cli/input/graph-file.js';
import { serviceError } from '../../../src/node.js';

const api = (steps: number, id = '1') => ({ [id]: { class_type: 'A', inputs: { steps } } });
const ui = (steps: number, ids: readonly number[] = [1]) => ({
  ...{ links: [], version: 0.4 },
  nodes: ids.map((id) => ({ id, type: 'A', widgets_values: [steps] })),
});
const file = (value: unknown, carrier?: object) => ({
  ...{ name: 'a.png', text: typeof value === 'string' ? value : JSON.stringify(value) },
  ...(carrier !== undefined && { carrier: carrier as never }),
});
const carrying = (value: unknown) => ({ workflow: { text: JSON.stringify(value) } });

describe('readGraphText', () => {
  const read = (
    value: unknown,
    { from, carrier }: { readonly from?: 'prompt' | 'workflow'; readonly carrier?: object } = {},
  ) => {
    const warned: string[] = [];
    const graph = readGraphText(file(value, carrier), { from, warn: (message) => void warned.push(message) });
    return { graph, warned };
  };

  it('reads either format', () => {
    expect(read(api(3)).graph).toMatchObject({ _tag: 'Api', workflow: api(3) });
    expect(read(ui(3)).graph).toMatchObject({ _tag: 'Ui' });
  });

  it('takes the executed graph of both, and keeps the editor’s file beside it', () => {
    const { graph, warned } = read(api(3), { carrier: carrying(ui(3)) });
    expect(graph).toMatchObject({ _tag: 'Api', workflow: api(3), ui: { version: 0.4 } });
    expect(warned).toEqual([]);
    expect(read({ prompt: api(3), workflow: ui(3) }).graph).toMatchObject({
      _tag: 'Api',
      ui: { version: 0.4 },
    });
  });

  it('warns where both differ and nobody has chosen, with five of the nodes', () => {
    expect(read(api(4), { carrier: carrying(ui(3)) }).warned).toEqual([
      "the executed graph of a.png and its editor's file differ (node 1): the graph is taken; --from workflow takes the file",
    ]);
    const many = Object.assign({}, ...[1, 2, 3, 4, 5, 6].map((id) => api(4, String(id)))) as object;
    const five = [1, 2, 3, 4, 5];
    const six = [...five, 6];
    expect(read(many, { carrier: carrying(ui(3, six)) }).warned[0]).toContain('(nodes 1, 2, 3, 4, 5, …)');
    const { 6: sixth, ...others } = many as Record<string, unknown>;
    expect(sixth).toBeDefined();
    expect(read(others, { carrier: carrying(ui(3, five)) }).warned[0]).toContain('(nodes 1, 2, 3, 4, 5)');
    expect(read(api(4), { carrier: carrying(ui(3)), from: 'prompt' }).warned).toEqual([]);
  });

  it('takes the editor’s file where that is chosen', () => {
    const { graph, warned } = read(api(4), { carrier: carrying(ui(3)), from: 'workflow' });
    expect(graph).toMatchObject({ _tag: 'Ui', workflow: { version: 0.4 }, problems: [] });
    expect(warned).toEqual([]);
  });

  it('refuses a choice that the file does not have', () => {
    expect(() => read(api(3), { from: 'workflow' })).toThrow("a.png holds no editor's file");
    expect(() => read(ui(3), { from: 'prompt' })).toThrow('a.png holds no executed graph');
    expect(read(ui(3), { from: 'workflow' }).graph).toMatchObject({ _tag: 'Ui' });
    expect(read(api(3), { from: 'prompt' }).graph).toMatchObject({ _tag: 'Api' });
  });

  it('takes no carried text for an editor’s file that is none', () => {
    for (const carried of [api(3), 'text'])
      expect(() => read(api(3), { carrier: carrying(carried), from: 'workflow' })).toThrow('holds no editor');
    expect(() => read(api(3), { carrier: {}, from: 'workflow' })).toThrow('holds no editor');
  });

  it('tells what is no JSON from what is no workflow', () => {
    expect(() => read('{"1": ')).toThrow(/^a\.png is not JSON: ./u);
    expect(() => read('{"a": 1}')).toThrow(expect.objectContaining({ _tag: 'InvalidWorkflow' }) as Error);
  });
});

describe('workflowOf', () => {
  const definitions = { A: { input: { required: { steps: ['INT', {}] } }, output: [], output_node: true } };
  const converted = async (value: unknown, known: Readonly<Record<string, unknown>> | null = definitions) => {
    const events: { readonly message: string }[] = [];
    let asked = 0;
    const graph = readGraphText(file(value));
    const workflow = await workflowOf(
      graph,
      { report: (event) => void events.push(event as never) },
      {
        definitions: () => {
          asked += 1;
          return Promise.resolve(known ?? undefined);
        },
      },
    ).catch((error: unknown) => error);
    return { workflow, asked, warned: events.map(({ message }) => message) };
  };

  it('is the graph itself in API format, without a question for node classes', async () => {
    expect(await converted(api(3))).toEqual({ workflow: api(3), asked: 0, warned: [] });
  });

  it('tells what the reading left out', async () => {
    const { warned } = await converted({ ...api(3), version: 1 });
    expect(warned).toEqual([expect.stringContaining('version')]);
  });

  it('is what the editor’s file is converted to, by the node classes', async () => {
    const { workflow, asked } = await converted(ui(3));
    expect(workflow).toMatchObject(api(3));
    expect(asked).toBe(1);
  });

  it('warns of what the conversion warns of', async () => {
    const { warned } = await converted({ ...ui(3), nodes: [...ui(3).nodes, { id: 2, type: 'Gone' }] });
    expect(warned).toEqual([expect.stringContaining('Gone')]);
  });

  it('says what to do where it can not be converted: name the classes, or else change the file', async () => {
    const unnamed = await converted(ui(3), null);
    expect(unnamed.workflow).toMatchObject({
      ...{ _tag: 'InvalidWorkflow', format: 'ui' },
      message: expect.stringContaining("The editor's workflow can't be converted: ") as string,
      hint: expect.stringContaining('--definitions FILE') as string,
    });
    const lost = { ...ui(3), nodes: [{ id: 1, type: '11111111-2222-3333-4444-555555555555' }] };
    expect((await converted(lost)).workflow).toMatchObject({
      ...{ _tag: 'InvalidWorkflow', format: 'ui' },
      hint: 'Change these nodes in the editor, or export the API format there.',
    });
  });

  it('says that nothing runs, and asks for no classes where there are no nodes', async () => {
    const { workflow, asked } = await converted({ ...ui(3), nodes: [] });
    expect(workflow).toMatchObject({
      ...{ _tag: 'InvalidWorkflow', format: 'empty', message: 'The workflow has no node that runs.' },
    });
    expect(asked).toBe(0);
    const muted = { ...ui(3), nodes: [{ id: 1, type: 'A', mode: 2, widgets_values: [3] }] };
    expect((await converted(muted)).workflow).toMatchObject({ format: 'empty' });
  });
});

describe('node classes', () => {
  const source = (text: string) => ({ stdin: Readable.from([text]), stop: new AbortController().signal });

  it('of a file are an object', async () => {
    expect(await readDefinitions('-', source('{"A": {}}'))).toEqual({ A: {} });
    for (const text of ['[]', 'null', '5'])
      await expect(readDefinitions('-', source(text))).rejects.toThrow(
        '- holds no node classes: it is no JSON object',
      );
  });

  it('of a service are what it answers, or its error', async () => {
    const { signal } = new AbortController();
    const answering = (answer: unknown) =>
      definitionsOfService({
        stop: signal,
        connect: () =>
          Promise.resolve({
            rest: {
              objectInfo: (options: unknown) => () => {
                expect(options).toEqual({ signal });
                return Promise.resolve(answer);
              },
            },
          } as never),
      });
    expect(await answering({ _tag: 'Right', right: { A: {} } })()).toEqual({ A: {} });
    const error = serviceError('Unauthorized', { message: 'no' });
    await expect(answering({ _tag: 'Left', left: error })()).rejects.toBe(error);
  });
});
